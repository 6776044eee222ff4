// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

/// Schedule files of any size, each of one shape: what takes twice as long where there is twice as
/// much of it is no weapon.
namespace families {

struct family {
  std::string name;
  std::function<std::string(int)> make;  ///< of about N entries
};

inline std::string str(int i) { return std::to_string(i); }
inline std::string q(const std::string& text) { return '"' + text + '"'; }
inline std::string t(int i) { return q("t" + str(i)); }

/// `[...]` of what \p entry says of 0 to n - 1.
template <class Entry>
std::string all(int n, Entry entry) {
  std::string text = "[";
  for (int i = 0; i < n; ++i) {
    if (i > 0) text += ',';
    text += entry(i);
  }
  return text + "]";
}
inline std::string same(int n, const std::string& entry) {
  return all(n, [&](int) { return entry; });
}
inline std::string file(const std::string& tasks, const std::string& more = {}) {
  return "{\"stretto\":1,\"tasks\":" + tasks + (more.empty() ? "" : "," + more) + "}";
}
/// A task with what \p members adds.
inline std::string task(const std::string& name, const std::string& members = {}) {
  return "{\"name\":" + name + (members.empty() ? "" : "," + members) + "}";
}
inline std::string member(const char* name, const std::string& value) {
  return q(name) + ":" + value;
}
inline std::string numbered(int n, const char* prefix) {
  return all(n, [&](int i) { return q(prefix + str(i)); });
}

inline std::vector<family> by_hand() {
  const std::string a = task(q("a"));
  const auto on_one = [](const char* field) {
    return [field](int n) {
      return file("[" + task(q("a")) + "," + task(q("t"), member(field, same(n, q("a")))) + "]");
    };
  };
  const auto dependency = [](const char* field, auto entry) {
    return [field, entry](int n) {
      return file(all(n, [&](int i) { return task(t(i), member(field, entry(i, n))); }));
    };
  };
  return {
      {"groups",
       [=](int n) {
         return file("[" + a + "]", member("groups", all(n, [](int i) {
                                             return "{\"thread\":" + q("g" + str(i)) + "}";
                                           })));
       }},
      {"groups with queues",
       [](int n) {
         return file(all(n, [](int i) { return task(t(i), member("thread", q("g" + str(i)))); }),
                     member("groups", all(n, [](int i) {
                              return "{\"thread\":" + q("g" + str(i)) + ",\"queue\":1}";
                            })));
       }},
      {"listed threads, and tasks on others",
       [](int n) {
         return file(all(n, [](int i) { return task(t(i), member("thread", q("g" + str(i)))); }),
                     member("thread_names", numbered(n, "thread")));
       }},
      {"a long queue, and waits that it makes too late",
       [=](int n) {
         return file("[" + a + "," +
                         task(q("t"), "\"thread\":\"t\",\"cross_iter_depends_on\":" +
                                          all(n,
                                              [](int i) {
                                                return "{\"task\":\"a\",\"ago\":" + str(1 + i) +
                                                       "}";
                                              })) +
                         "]",
                     "\"groups\":[{\"thread\":\"t\",\"queue\":100000}]");
       }},
      {"one resource, changed again and again",
       [](int n) { return file("[" + task(q("a"), member("mutates", same(n, q("r")))) + "]"); }},
      {"resources that two tasks change, in opposite orders",
       [](int n) {
         return file(
             "[" + task(q("a"), "\"thread\":\"x\"," + member("mutates", numbered(n, "r"))) + "," +
             task(q("b"),
                  "\"thread\":\"y\"," +
                      member("mutates", all(n, [n](int i) { return q("r" + str(n - 1 - i)); }))) +
             "]");
       }},
      {"one resource, changed on as many threads",
       [](int n) {
         return file(all(n, [](int i) {
           return task(t(i), member("thread", q("h" + str(i))) + ",\"mutates\":[\"r\"]");
         }));
       }},
      {"one task, waited for of each batch",
       [=](int n) {
         return file("[" + a + "," +
                     task(q("t"), member("cross_iter_depends_on",
                                         all(n,
                                             [](int i) {
                                               return "{\"task\":\"a\",\"ago\":" + str(1 + i) + "}";
                                             }))) +
                     "]");
       }},
      {"one task, waited for again and again", on_one("cross_iter_depends_on")},
      {"one task, depended on again and again", on_one("depends_on")},
      {"one slot, read at each offset",
       [](int n) {
         return file(
             "[" + task(q("w"), "\"writes\":[\"x\"]") + "," +
             task(q("r"), member("reads", all(n,
                                              [](int i) {
                                                return "{\"slot\":\"x\",\"offset\":" + str(i) + "}";
                                              }))) +
             "]");
       }},
      {"a wait that the last of many slots makes superfluous",
       [](int n) {
         return file(
             "[" + task(q("w"), "\"lookahead\":1," + member("writes", numbered(n, "x"))) + "," +
             task(q("v"), "\"lookahead\":2,\"writes\":[\"z\"]") + "," +
             task(q("r"),
                  member("reads",
                         all(n + 1, [n](int i) { return i == n ? q("z") : q("x" + str(i)); })) +
                      "," +
                      member("cross_iter_depends_on", same(n, "{\"task\":\"v\",\"ago\":2}"))) +
             "]");
       }},
      {"a long cycle",
       dependency("depends_on", [](int i, int n) { return "[" + t((i + 1) % n) + "]"; })},
      {"a long chain, backwards",
       dependency("depends_on",
                  [](int i, int n) { return i + 1 < n ? "[" + t(i + 1) + "]" : "[]"; })},
      {"names of nobody",
       dependency("depends_on", [](int i, int) { return "[" + q("s" + str(i)) + "]"; })},
      {"a task for each other task",
       dependency("same_progress_sync",
                  [](int i, int n) { return i + 1 < n ? "[]" : all(n - 1, t); })},
      {"an order backwards",
       [](int n) {
         return file(all(n, [](int i) { return task(t(i)); }),
                     "\"orders\":[" + all(n, [n](int i) { return t(n - 1 - i); }) + "]");
       }},
      {"orders of two",
       [](int n) {
         return file(
             all(n, [](int i) { return task(t(i)); }),
             member("orders", all(n - 1, [](int i) { return "[" + t(i) + "," + t(i + 1) + "]"; })));
       }},
      {"tasks alone", [](int n) { return file(all(n, [](int i) { return task(t(i)); })); }},
      {"tasks of one name", [=](int n) { return file(same(n, a)); }},
      {"tasks with no name", [](int n) { return file(same(n, task("\"\""))); }},
      {"tasks on as many streams",
       [](int n) {
         return file(all(n, [](int i) { return task(t(i), member("stream", q("s" + str(i)))); }),
                     member("streams", numbered(n, "s")));
       }},
      {"tasks on as many threads, each after the one before",
       [](int n) {
         return file(all(n, [](int i) {
           return task(t(i), member("thread", q("h" + str(i))) +
                                 (i == 0 ? "" : "," + member("depends_on", "[" + t(i - 1) + "]")));
         }));
       }},
      {"one stream, again and again",
       [](int n) {
         return file("[{\"name\":\"t\",\"stream\":\"s\"}]", member("streams", same(n, q("s"))));
       }},
      {"readers of one slot on as many threads",
       [](int n) {
         return file(all(n, [](int i) {
           return i == 0 ? task(q("w"), "\"writes\":[\"x\"]")
                         : task(t(i), member("thread", q("h" + str(i))) + ",\"reads\":[\"x\"]");
         }));
       }},
      {"writers of one slot",
       [](int n) { return file(all(n, [](int i) { return task(t(i), "\"writes\":[\"x\"]"); })); }},
      {"a few writers and many readers",
       [](int n) {
         return file(all(n, [](int i) {
           return i < 8 ? task(t(i), "\"lookahead\":" + str(8 - i) + ",\"writes\":[\"x\"]")
                        : task(t(i), member("thread", q("h" + str(i))) + ",\"reads\":[\"x\"]");
         }));
       }},
      {"slots of one task, read by another",
       [](int n) {
         return file("[" + task(q("w"), member("writes", numbered(n, "x"))) + "," +
                     task(q("r"), "\"thread\":\"h\"," + member("reads", numbered(n, "x"))) + "]");
       }},
      {"results",
       [](int n) {
         return file("[" + task(q("w"), member("writes", numbered(n, "x"))) + "]",
                     member("results", numbered(n, "x")));
       }},
      {"results without a name",
       [=](int n) { return file("[" + a + "]", member("results", same(n, "\"\""))); }},
      {"slack",
       [](int n) {
         return file(
             "[" + task(q("w"), member("writes", numbered(n, "x"))) + "]",
             member("slacks", all(n, [](int i) { return "{\"slot\":" + q("x" + str(i)) + "}"; })));
       }},
      {"types",
       [=](int n) {
         return file("[" + a + "]", member("types", all(n, [](int i) {
                                             return "{\"slot\":" + q("x" + str(i)) +
                                                    ",\"cpp\":\"int\"}";
                                           })));
       }},
      {"one type, nested",
       [=](int n) {
         std::string type;
         for (int i = 0; i < n; ++i) type += "v<";
         return file("[" + a + "]", "\"types\":[{\"slot\":\"x\",\"cpp\":" + q(type) + "}]");
       }},
      {"a long chain in a generated map",
       [](int n) {
         return file(all(n,
                         [](int i) {
                           return task(
                               t(i),
                               "\"weight\":" + str(1 + i % 7) +
                                   (i == 0 ? "" : ",\"reads\":[" + q("x" + str(i - 1)) + "]") +
                                   ",\"writes\":[" + q("x" + str(i)) + "]");
                         }),
                     "\"generated\":4");
       }},
      {"weights and waits around",
       [](int n) {
         return file(all(n, [n](int i) {
           return task(t(i), "\"weight\":" + str(1 + i * 7919 % 1000) + "," +
                                 member("thread", q("h" + str(i % 30))) +
                                 ",\"cross_iter_depends_on\":[" + t(i * 31 % n) + "]");
         }));
       }},
      {"workers, each of whose tasks waits for the one before",
       [](int n) {
         return file(all(n,
                         [](int i) {
                           return task(t(i),
                                       member("thread", q("g" + str(i % 10))) +
                                           (i == 0 ? "" : ",\"depends_on\":[" + t(i - 1) + "]"));
                         }),
                     member("groups", all(10, [](int i) {
                              return "{\"thread\":" + q("g" + str(i)) + ",\"workers\":20}";
                            })));
       }},
      {"one long name, and many short",
       [](int n) {
         return file(all(n, [n](int i) {
           return task(i == 0 ? q(std::string(static_cast<std::size_t>(10 * n), 'x')) : t(i));
         }));
       }},
      {"long names, all wrong",
       [](int n) {
         return file(all(100, [n](int i) {
           return task(q(std::string(static_cast<std::size_t>(n / 4), 'x') + str(i)),
                       "\"lookahead\":-1");
         }));
       }},
      {"unknown fields",
       [](int n) {
         std::string members;
         for (int i = 0; i < n; ++i) members += (i == 0 ? "" : ",") + q("f" + str(i)) + ":1";
         return file("[" + task(q("a"), members) + "]");
       }},
      {"numbers for tasks", [](int n) { return file(same(n, "0")); }},
      {"empty lists", [=](int n) { return file("[" + a + "]", member("orders", same(n, "[]"))); }},
  };
}

/// Names whose hashes agree in their low bits, where an index of names looks.
inline std::vector<std::string> crowded_names(int n) {
  constexpr unsigned mask = (1U << 16U) - 1;
  constexpr unsigned prime = static_cast<unsigned>(1099511628211U & mask);
  unsigned inverse = 1;  // of the prime, by Newton's steps
  for (int i = 0; i < 5; ++i) inverse = inverse * (2U - prime * inverse) & mask;
  // Behind any beginning, three letters of which the last two lead to 0 from one state in sixteen.
  const std::string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  std::vector<std::string> ends(mask + 1);
  for (const char first : letters)
    for (const char second : letters)
      for (const char third : letters) {
        unsigned state = 0;
        for (const char c : {third, second, first})
          state = (state * inverse & mask) ^ static_cast<unsigned char>(c);
        if (ends[state].empty()) ends[state] = {first, second, third};
      }
  std::vector<std::string> names;
  for (int i = 0; names.size() < static_cast<std::size_t>(n); ++i) {
    const std::string begin = "t" + str(i);
    unsigned state = static_cast<unsigned>(14695981039346656037U & mask);
    for (const char c : begin) state = (state ^ static_cast<unsigned char>(c)) * prime & mask;
    if (!ends[state].empty()) names.push_back(begin + ends[state]);
  }
  return names;
}

/// A shape drawn by chance: what each task names is a function of its number.
inline family by_chance(unsigned seed) {
  std::minstd_rand random(seed + 1);
  const auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  using number = std::function<int(int, int)>;
  const auto any_number = [&]() -> number {
    const int k = pick(1, 40);
    switch (pick(0, 8)) {
      case 0: return [](int i, int) { return i; };
      case 1: return [](int i, int) { return i - 1; };
      case 2: return [](int i, int) { return i / 2; };
      case 3: return [k](int i, int) { return i % k; };
      case 4: return [](int i, int n) { return n - 1 - i; };
      case 5:
        return [k](int i, int n) {
          return static_cast<int>((static_cast<long long>(i) * (2 * k + 1)) % n);
        };
      case 6: return [](int i, int n) { return (i + 1) % n; };
      case 7: return [k](int i, int) { return i - k; };
      default: return [](int, int) { return 0; };
    }
  };
  struct field {
    const char* name;
    const char* prefix;
  };
  constexpr field fields[] = {{"reads", "x"},
                              {"writes", "x"},
                              {"depends_on", "t"},
                              {"cross_iter_depends_on", "t"},
                              {"same_progress_sync", "t"},
                              {"observes", "r"},
                              {"mutates", "r"}};
  std::vector<std::function<std::string(int, int)>> members;
  const auto maybe = [&](int of_ten, auto add) {
    if (pick(1, 10) <= of_ten) add();
  };
  const auto name_by = [](const char* what, const char* prefix, const number& of) {
    return [=](int i, int n) { return member(what, q(prefix + str(of(i, n)))); };
  };
  const bool streams = pick(0, 3) == 0;
  if (streams) members.push_back(name_by("stream", "s", any_number()));
  maybe(5, [&] { members.push_back(name_by("thread", "h", any_number())); });
  maybe(4, [&] {
    const number of = any_number();
    const int most = pick(1, 50);
    members.push_back(
        [=](int i, int n) { return member("lookahead", str(std::max(of(i, n), 0) % most)); });
  });
  maybe(3, [&] {
    const number of = any_number();
    members.push_back([=](int i, int n) { return member("weight", str(std::max(of(i, n), 0))); });
  });
  maybe(1, [&] { members.push_back([](int, int) { return member("collective", "true"); }); });
  for (const field& f : fields)
    maybe(3, [&] {
      std::vector<number> entries(static_cast<std::size_t>(pick(1, 3)));
      for (number& e : entries) e = any_number();
      const int only = pick(0, 3);  // 0: a long list of one task
      const bool ago = f.name == std::string("cross_iter_depends_on");
      const number how_long_ago = any_number();
      members.push_back([=](int i, int n) {
        const auto entry = [&](const number& e, int j) {
          const std::string named = q(f.prefix + str(e(j, n)));
          return ago ? "{\"task\":" + named +
                           ",\"ago\":" + str(1 + std::max(how_long_ago(j, n), 0) % 100'000) + "}"
                     : named;
        };
        if (only > 0)
          return member(f.name, all(static_cast<int>(entries.size()), [&](int e) {
                          return entry(entries[static_cast<std::size_t>(e)], i);
                        }));
        return i == n / 2 ? member(f.name, all(n, [&](int j) { return entry(entries[0], j); }))
                          : member(f.name, "[]");
      });
    });
  std::vector<std::function<std::string(int)>> parts;
  if (streams) parts.push_back([](int n) { return member("streams", numbered(n, "s")); });
  maybe(3, [&] {
    const bool queues = pick(0, 1) == 0;
    parts.push_back([=](int n) {
      return member("groups", all(queues ? n : 10, [&](int i) {
                      return "{\"thread\":" + q("h" + str(i)) +
                             (queues ? ",\"queue\":2}" : ",\"workers\":3}");
                    }));
    });
  });
  maybe(3, [&] {
    const number of = any_number();
    parts.push_back([=](int n) {
      return member("orders", "[" + all(n, [&](int i) { return t(of(i, n)); }) + "]");
    });
  });
  maybe(3, [&] { parts.push_back([](int n) { return member("results", numbered(n, "x")); }); });
  maybe(1, [&] { parts.push_back([](int) { return member("generated", "5"); }); });
  maybe(1, [&] { parts.push_back([](int) { return member("strict", "true"); }); });
  maybe(1, [&] { parts.push_back([](int) { return member("pipelined", "true"); }); });
  return {"by chance " + str(static_cast<int>(seed)), [members, parts](int n) {
            std::string more = "\"source\":{\"slot\":\"raw\"}";
            for (const auto& p : parts) more += "," + p(n);
            return file(all(n,
                            [&](int i) {
                              std::string of_task;
                              for (const auto& m : members)
                                of_task += (of_task.empty() ? "" : ",") + m(i, n);
                              return task(t(i), of_task);
                            }),
                        more);
          }};
}

}  // namespace families
