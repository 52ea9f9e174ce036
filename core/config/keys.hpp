#pragma once
/// A config key bound to the member that it fills: name, type, default, range, unit, words and meaning are said once.
///
///   struct RestSettings {
///     double tolerance = 1e-8;  // the key's default
///     Branches branches = Branches::automatic;
///   };
///   const Keys<RestSettings>& rest_keys() {
///     static const auto keys =
///         Keys<RestSettings>()
///             .key("rest.tolerance", &RestSettings::tolerance, Range::positive(), "opinion", "at rest: it moves less")
///             .choice("rest.branches", &RestSettings::branches,
///                     {{"auto", Branches::automatic}, {"fresh", Branches::fresh}}, "where a walk begins");
///     return keys;
///   }
///   rest_keys().declare(schema);                             // where an experiment declares what it may be told
///   const RestSettings settings = rest_keys().read(config);  // where it runs; science takes the struct
///
/// A member is a bool, a whole number, a real number, a text, a list (std::vector) of numbers or texts or, with
/// choice(), anything that has ==. A std::optional number or text is empty where the config holds 0 or "". Members that
/// no key fills keep their initializers. A rule between keys reads the struct, and complains at config.source("key").
/// A key of several experiments, whose members and defaults differ, is a SharedKey; one with its member is a group().
/// read() asks the config for all its keys: where an experiment opens its inputs, read the keys of files alone, since
/// what is asked for there decides which points of a sweep share an input.

#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "fovea/core/config/key_list.hpp"
#include "fovea/core/config/shared_key.hpp"

namespace fovea {

/// A member of a member: inside(&Outer::inner, &Inner::number). It stands wherever a member does, as does any function
/// from S& to a reference, such as [](auto& settings) -> auto& { return settings.ends[1]; }.
template <typename... Members>
auto inside(Members... members) {
  return [=](auto& settings) -> auto& { return (settings.*....*members); };
}

template <typename S>
class Keys : public KeyList {
  template <typename Member>
  using Held = std::remove_reference_t<std::invoke_result_t<const Member&, S&>>;

 public:
  /// A flag, a text or a list of texts.
  template <typename Member>
  Keys& key(std::string name, Member member, std::string meaning) {
    return bind(std::move(name), std::move(meaning), key_codec<Held<Member>>(), member);
  }
  /// A number or a list of numbers; unit: "" for none.
  template <typename Member>
  Keys& key(std::string name, Member member, Range range, std::string unit, std::string meaning) {
    static_assert(!std::is_same_v<Held<Member>, bool> && !std::is_same_v<Held<Member>, std::string>);
    return bind(std::move(name), std::move(meaning), key_codec<Held<Member>>(), member, range, std::move(unit));
  }
  /// One of several words: {"gaussian", "cosine"} for a text, else each with the value that it stands for.
  template <typename Member>
  Keys& choice(std::string name, Member member, const KeyWords<Held<Member>>& words, std::string meaning) {
    return bind(std::move(name), std::move(meaning), word_codec(words), member);
  }
  /// A flag, a text, a number or a list; meaning: what it means here, if that is not what it means elsewhere.
  template <typename Member>
  Keys& key(const SharedKey& shared, Member member, std::string meaning = "") {
    return bind(shared.name, meaning.empty() ? shared.meaning : std::move(meaning), key_codec<Held<Member>>(), member,
                shared.range, shared.unit);
  }
  template <typename Member>
  Keys& choice(const SharedChoice<Held<Member>>& shared, Member member) {
    return choice(shared.name, member, shared.words, shared.meaning);
  }
  /// The path of an input; a text, empty by default. See Schema::file().
  template <typename Member>
  Keys& file(const SharedKey& shared, Member member, std::string meaning = "") {
    return file(shared.name, member, meaning.empty() ? shared.meaning : std::move(meaning));
  }
  template <typename Member>
  Keys& file(std::string name, Member member, std::string meaning) {
    KeyCodec codec = key_codec<Held<Member>>();
    codec.type = ValueType::file;
    return bind(std::move(name), std::move(meaning), std::move(codec), member);
  }
  /// Paths of inputs; a list of texts, empty by default. See Schema::files().
  template <typename Member>
  Keys& files(const SharedKey& shared, Member member, std::string meaning = "") {
    return files(shared.name, member, meaning.empty() ? shared.meaning : std::move(meaning));
  }
  template <typename Member>
  Keys& files(std::string name, Member member, std::string meaning) {
    KeyCodec codec = key_codec<Held<Member>>();
    codec.type = ValueType::files;
    return bind(std::move(name), std::move(meaning), std::move(codec), member);
  }
  /// The keys of a struct that is a member here, in whose initializer are their defaults.
  template <typename Inner, typename Member>
  Keys& group(const Keys<Inner>& keys, Member member) {
    add_group(keys, [member](void* s) -> void* { return static_cast<Inner*>(&std::invoke(member, *as_own(s))); });
    return *this;
  }
  /// More keys of this struct, or those of a base.
  template <typename Base>
  Keys& group(const Keys<Base>& keys) {
    add_group(keys, [](void* s) -> void* { return static_cast<Base*>(as_own(s)); });
    return *this;
  }
  /// Keys that fill no member here, such as lists of tables: declared at this place, and read elsewhere.
  Keys& also(std::function<void(Schema&)> declare) { return add_others(std::move(declare)), *this; }

  /// The key (or group) before is declared only where this holds of the defaults: when(&S::noisy).
  template <typename Holds>
  Keys& when(Holds holds) {
    return restrict_last([holds](void* s) { return static_cast<bool>(std::invoke(holds, *as_own(s))); }), *this;
  }
  /// Of the key (or group) before: Schema::added_later(), if it is so.
  Keys& added_later(bool is_so = true) { return is_so ? mark_last_added_later() : void(), *this; }

  /// Adds the keys to a schema, in this order. defaults: of a model, or of an experiment that wants other numbers than
  /// the initializers'. chosen: the keys that are declared, by name; empty: all. Throws ArgumentError as Schema does,
  /// and for the default of a choice that has no word.
  void declare(Schema& schema, S defaults = {}, const Chosen& chosen = {}) const {
    declare_from(schema, &defaults, chosen);
  }
  /// The struct as the config fills it. Keys that were not declared leave their members as `settings` has them.
  S read(const Config& config, S settings = {}) const { return read_into(&settings, config), settings; }
  /// Of one table of a list.
  S read(const ConfigTable& table, S settings = {}) const { return read_into(&settings, table), settings; }

 private:
  static S* as_own(void* settings) { return static_cast<S*>(settings); }
  template <typename Member, typename... Rest>
  Keys& bind(std::string name, std::string meaning, KeyCodec codec, Member member, Rest... rest) {
    const auto locate = [member](void* s) -> void* { return &std::invoke(member, *as_own(s)); };
    add(std::move(name), std::move(meaning), std::move(codec), locate, std::move(rest)...);
    return *this;
  }
};

}  // namespace fovea
