// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How much processor time control groups give a process, by files as systems have them.

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stretto/run/threads/core_quota.hpp>
#include <string>
#include "../../support/scratch.hpp"

namespace {

namespace detail = stretto::runner::detail;

constexpr double any = std::numeric_limits<double>::infinity();

/// A folder of files, for as long as it is there.
class system_files {
 public:
  std::string at(const std::string& path) const { return (folder_.path() / path).string(); }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((folder_.path() / path).parent_path());
    std::ofstream(folder_.path() / path) << text;
  }
  /// Of the process: its groups, and one mounted hierarchy at `/of`, \p kind of it, from \p root
  /// on.
  void process(const std::string& groups, const std::string& root, const std::string& kind) const {
    write("groups", groups);
    write("mounts", "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw\n" +
                        ("31 22 0:27 " + root + " " + at("of") + " rw,nosuid shared:9 master:3 - " +
                         kind + "\n") +
                        "40 22 0:30 / /proc rw - proc proc rw\n");
  }
  void process_of_version_1(const std::string& groups, const std::string& root) const {
    process(groups, root, "cgroup cgroup rw,cpu,cpuacct");
  }
  void process_of_version_2(const std::string& groups, const std::string& root) const {
    process(groups, root, "cgroup2 cgroup2 rw,nsdelegate");
  }
  /// What a group of version 1 is given of each 100 ms; -1: no quota.
  void quota_of_version_1(const std::string& group, const std::string& microseconds) const {
    write(group + "/cpu.cfs_quota_us", microseconds + "\n");
    write(group + "/cpu.cfs_period_us", "100000\n");
  }
  double cores() const {
    const std::string groups = at("groups");
    const std::string mounts = at("mounts");
    return detail::cores_of_quota({groups.c_str(), mounts.c_str()});
  }

 private:
  tested::scratch_folder folder_;
};

}  // namespace

TEST_CASE("quota: of a container that sees its own group as the root") {
  const system_files files;
  files.process_of_version_2("0::/\n", "/");
  files.write("of/cpu.max", "150000 100000\n");
  CHECK(files.cores() == 1.5);
  files.write("of/cpu.max", "max 100000\n");
  CHECK(files.cores() == any);
}

TEST_CASE("quota: the least of a group and of those that it is in") {
  const system_files files;
  files.process_of_version_2("0::/machine/job/step\n", "/");
  files.write("of/machine/job/step/cpu.max", "max 100000\n");
  files.write("of/machine/job/cpu.max", "100000 50000\n");
  files.write("of/machine/cpu.max", "800000 100000\n");
  CHECK(files.cores() == 2);
  files.write("of/machine/job/step/cpu.max", "25000 50000\n");
  CHECK(files.cores() == 0.5);
  files.write("of/machine/cpu.max", "20000 50000\n");
  CHECK(files.cores() == 0.4);
  files.write("of/cpu.max", "10000 50000\n");
  CHECK(files.cores() == 0.2);
}

TEST_CASE("quota: another process's group does not count") {
  const system_files files;
  files.process_of_version_2("0::/job/1\n", "/");
  files.write("of/job/1/cpu.max", "400000 100000\n");
  files.write("of/job/12/cpu.max", "100000 100000\n");
  files.write("of/job/1/below/cpu.max", "100000 100000\n");
  CHECK(files.cores() == 4);
}

TEST_CASE("quota: of version 1, where -1 is none") {
  const system_files files;
  files.process_of_version_1("5:memory:/elsewhere\n4:cpu,cpuacct:/job\n1:cpuset:/\n", "/");
  files.quota_of_version_1("of/job", "300000");
  files.quota_of_version_1("of", "-1");
  CHECK(files.cores() == 3);
  files.quota_of_version_1("of/job", "-1");
  CHECK(files.cores() == any);
}

TEST_CASE("quota: `cpu` is another controller than `cpuset` and `cpuacct`") {
  const system_files files;
  files.process("4:cpuacct:/job\n1:cpuset:/job\n", "/", "cgroup cgroup rw,cpuset,cpuacct");
  files.quota_of_version_1("of/job", "100000");
  CHECK(files.cores() == any);
  files.process("4:cpu:/job\n", "/", "cgroup cgroup rw,cpuset,cpuacct");
  CHECK(files.cores() == any);
  files.process_of_version_1("4:cpuacct:/job\n", "/");
  CHECK(files.cores() == any);
  files.process_of_version_1("4:cpuacct,cpu:/job\n", "/");
  CHECK(files.cores() == 1);
}

TEST_CASE("quota: of a container of which only its own groups are mounted") {
  const system_files files;
  files.process_of_version_1("4:cpu:/docker/4f2a\n", "/docker/4f2a");
  files.quota_of_version_1("of", "200000");
  CHECK(files.cores() == 2);
  files.process_of_version_1("4:cpu:/docker/4f2a/inner\n", "/docker/4f2a");
  files.quota_of_version_1("of/inner", "100000");
  CHECK(files.cores() == 1);
  // Another group than the mounted one: nothing is known but what is mounted.
  files.process_of_version_1("4:cpu:/\n", "/docker/4f2a");
  CHECK(files.cores() == 2);
}

TEST_CASE("quota: both versions at once, each with what it controls") {
  const system_files files;
  files.write("groups", "4:cpu:/job\n0::/session\n");
  files.write("mounts", "31 22 0:27 / " + files.at("old") +
                            " rw shared:9 - cgroup cgroup rw,cpu\n" + "32 22 0:28 / " +
                            files.at("new") + " rw - cgroup2 cgroup2 rw\n");
  files.quota_of_version_1("old/job", "500000");
  CHECK(files.cores() == 5);
  files.write("new/session/cpu.max", "100000 100000\n");
  CHECK(files.cores() == 1);
}

TEST_CASE("quota: what cannot be read is none") {
  const system_files files;
  CHECK(files.cores() == any);  // no files: no system with control groups
  files.process_of_version_2("0::/\n", "/");
  CHECK(files.cores() == any);
  for (const char* const text :
       {"", "\n", "max", "100000", "100000 0", "x y", "-5 100000", "0 1"}) {
    files.write("of/cpu.max", text);
    CHECK(files.cores() == any);
  }
  files.write("of/cpu.max", "100000 100000\n");
  CHECK(files.cores() == 1);
  for (const char* const groups : {"", ":", "::", "0:", "0::", "4:cpu:relative/path", "\n\n"}) {
    files.write("groups", groups);
    CHECK(files.cores() >= 1);
  }
  files.process_of_version_2("0::/\n", "/");
  for (const char* const mounts :
       {"", "\n", "31", "31 22 0:27 /", "31 22 0:27 / /of", " - cgroup2"}) {
    files.write("mounts", mounts);
    CHECK(files.cores() == any);
  }
}

TEST_CASE("quota: short for more threads than it has cores' time for") {
  static_cast<void>(detail::quota_is_short_for(1));  // looks for that of this process
  const double before = detail::cores_given;
  detail::cores_given = 2;
  CHECK_FALSE(detail::quota_is_short_for(2));
  CHECK(detail::quota_is_short_for(3));
  detail::cores_given = 1.5;
  CHECK(detail::quota_is_short_for(2));
  CHECK_FALSE(detail::quota_is_short_for(1));
  detail::cores_given = any;
  CHECK_FALSE(detail::quota_is_short_for(1000));
  detail::cores_given = before;
}
