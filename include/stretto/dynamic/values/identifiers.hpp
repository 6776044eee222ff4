// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <stretto/dynamic/values/cpp_type.hpp>
#include <stretto/dynamic/values/fields.hpp>
#include <string>
#include <string_view>

/// Names as C++ has them, for headers that are generated.
namespace stretto::dynamic::detail {

/// What no entity of a generated header can be called, keywords aside: words with a meaning in some
/// places, and the members of slots and schedules. (Those of tasks are `field_names`.)
inline constexpr std::array taken_words{
    // clang-format off
    "final", "import", "module", "override",
    "parts", "resource_type", "st", "std", "stretto", "untyped", "value_type"
    // clang-format on
};

/// Macros of common headers whose names do not look it: of C, POSIX, glibc, Qt, Windows and macOS.
inline constexpr std::array lower_case_macros{
    // clang-format off
    "alloca", "assert", "assert_perror", "b64_ntop", "b64_pton", "be16toh", "be32toh", "be64toh",
    "cdecl", "check", "clrbit", "complex", "d_fileno", "dn_count_labels", "ElfW", "emit", "errno",
    "far", "foreach", "forever", "fp_nquery", "fp_query", "fp_resstat", "h_addr", "h_errno",
    "hostalias", "howmany", "htobe16", "htobe32", "htobe64", "htole16", "htole32", "htole64",
    "hyper", "i386", "ifa_broadaddr", "ifa_dstaddr", "ifc_buf", "ifc_req", "ifr_addr",
    "ifr_bandwidth", "ifr_broadaddr", "ifr_data", "ifr_dstaddr", "ifr_flags", "ifr_hwaddr",
    "ifr_ifindex", "ifr_map", "ifr_metric", "ifr_mtu", "ifr_name", "ifr_netmask", "ifr_newname",
    "ifr_qlen", "ifr_slave", "imaginary", "interface", "isalnum_l", "isalpha_l", "isascii",
    "isascii_l", "isblank_l", "isclr", "iscntrl_l", "isdigit_l", "isfinite", "isgraph_l", "isinf",
    "islower_l", "isnan", "isnormal", "isprint_l", "ispunct_l", "isset", "isspace_l",
    "issubnormal", "isupper_l", "isxdigit_l", "La_x32_regs", "La_x32_retval", "le16toh", "le32toh",
    "le64toh", "likely", "linux", "loc_aton", "loc_ntoa", "major", "makedev", "math_errhandling",
    "max", "min", "minor", "near", "no_argument", "ns_msg_base", "ns_msg_count", "ns_msg_end",
    "ns_msg_id", "ns_msg_size", "ns_rr_class", "ns_rr_name", "ns_rr_rdata", "ns_rr_rdlen",
    "ns_rr_ttl", "ns_rr_type", "nsaddr", "offsetof", "optional_argument", "p_cdname", "p_cdnname",
    "p_class", "p_fqname", "p_fqnname", "p_option", "p_query", "p_rcode", "p_time", "p_type",
    "pascal", "powerof2", "pthread_cleanup_pop", "pthread_cleanup_pop_restore_np",
    "pthread_cleanup_push", "pthread_cleanup_push_defer_np", "putlong", "putshort", "require",
    "required_argument", "res_close", "res_hostalias", "res_init", "res_isourserver",
    "res_nameinquery", "res_nclose", "res_ninit", "res_queriesmatch", "res_randomid", "roundup",
    "s6_addr", "s6_addr16", "s6_addr32", "sa_handler", "sa_sigaction", "sched_priority", "setbit",
    "setjmp", "si_addr", "si_addr_lsb", "si_arch", "si_band", "si_call_addr", "si_fd", "si_int",
    "si_lower", "si_overrun", "si_pid", "si_pkey", "si_ptr", "si_status", "si_stime",
    "si_syscall", "si_timerid", "si_uid", "si_upper", "si_utime", "si_value",
    "sigev_notify_attributes", "sigev_notify_function", "sigmask", "signals", "signbit",
    "sigsetjmp", "slots", "small", "st_atime", "st_ctime", "st_mtime", "stderr", "stdin",
    "stdout", "strdupa", "strndupa", "sym_ntop", "sym_ntos", "sym_ston", "timeradd", "timerclear",
    "timercmp", "timerisset", "timersub", "toascii", "toascii_l", "unix", "unlikely", "va_arg", "va_copy", "va_end",
    "va_start", "verify"
    // clang-format on
};

/// Whether a name looks like that of a macro: it has no small letter, or begins with what has none,
/// as `SYS_read` and `PRId64` do.
constexpr bool looks_like_macro(std::string_view name) {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  if (std::none_of(name.begin(), name.end(), is_small)) return true;
  return !is_small(name[0]) && !is_small(name[1]);
}

/// Gives each name an identifier of its own: the name itself where it can be one, and is hardly a
/// macro.
class identifiers {
 public:
  identifiers() {
    taken_.insert(cpp_keywords.begin(), cpp_keywords.end());
    taken_.insert(taken_words.begin(), taken_words.end());
    taken_.insert(field_names.begin(), field_names.end());
    taken_.insert(lower_case_macros.begin(), lower_case_macros.end());
  }

  /// Keeps the words of a C++ spelling free for what they mean there.
  void reserve(std::string_view spelling) {
    std::string word;
    for (const char c : spelling) {
      if (is_letter(c) || is_digit(c)) {
        word += c;
      } else {
        taken_.insert(word);
        word.clear();
      }
    }
    taken_.insert(word);
  }

  /// A new identifier for the name of something that is a \p kind: "task", "slot".
  std::string make(std::string_view name, std::string_view kind) {
    std::string base;
    for (const char c : name) {
      const char kept = is_letter(c) || is_digit(c) ? c : '_';
      // Two underscores anywhere, and one at the beginning, belong to compilers.
      if (kept != '_' || (!base.empty() && base.back() != '_')) base += kept;
    }
    if (!base.empty() && base.back() == '_') base.pop_back();
    if (base.empty() || is_digit(base.front())) {
      if (!base.empty()) base.insert(0, 1, '_');
      base.insert(0, kind);
    }
    if (!looks_like_macro(base) && taken_.insert(base).second) return base;
    base += '_';
    base += kind;
    if (taken_.insert(base).second) return base;
    base += '_';
    std::size_t& number = numbers_[base];
    std::string numbered;
    do {
      number += number == 0 ? 2 : 1;
      numbered = base;
      numbered += std::to_string(number);
    } while (!taken_.insert(numbered).second);
    return numbered;
  }

 private:
  std::set<std::string> taken_;
  std::map<std::string, std::size_t> numbers_;
};

/// A text as a C++ literal.
inline std::string literal(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') {
      all += '\\';
      all += c;
    } else if (byte < 0x20U || byte > 0x7EU) {
      all += '\\';
      for (unsigned shift = 9; shift != 0;) {
        shift -= 3;
        all += static_cast<char>('0' + ((byte >> shift) & 7U));
      }
    } else {
      all += c;
    }
  }
  all += '"';
  return all;
}

}  // namespace stretto::dynamic::detail
