/// Converts the machines that a page can list to one form, which does not depend on their types.
#pragma once

#include <hsm/run/instance.hpp>
#include <hsm/save/document.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hsm {
template <class Context> class actor;
class crowd_base;
template <class Context> class crowd;
class machine_factory;
class manager;
} // namespace hsm

namespace hsm::inspect::detail {

enum class machine_kind : std::uint8_t { instance, actor, crowd, agent, manager, managed, session, recorded };
inline constexpr std::array<std::string_view, 8> machine_kind_names = {"instance", "actor",   "crowd",   "agent",
                                                                       "manager",  "managed", "session", "recorded"};

/// Calls of an instance or a session. An instance has only `save` and `load`, and a session runs its machine by its own rules.
struct watched_calls {
    std::string (*save)(const void* machine);
    restored (*load)(void* machine, std::string_view text);
    result (*start)(void* session) = nullptr;
    result (*stop)(void* session) = nullptr;
    result (*process)(void* session, std::string_view event, const std::string& data) = nullptr; ///< data: JSON, or empty
    bool (*finished)(const void* session) = nullptr;                                             ///< its machine has then stopped
};

/// A machine to list.
struct watched {
    machine_kind kind;
    void* object; ///< an instance_base, a crowd_base or a manager
    const watched_calls* calls = nullptr;               ///< null: documents of the instance do not contain its context
    hsm::detail::saved_context (*contexts)() = nullptr; ///< of a crowd: how its documents contain contexts
    const machine_factory* kinds = nullptr;             ///< of a manager; null: it has no documents
    void* session = nullptr;                            ///< of an instance that belongs to a session
};

/// Saves and restores an instance, with its context if it has a `serialize`.
template <class Context> std::string save_watched(const void* object) {
    const auto& machine = *static_cast<const instance<Context>*>(static_cast<const instance_base*>(object));
    if constexpr (hsm::detail::serializable<Context>)
        return save_document(machine, machine.context());
    else
        return save_document(machine);
}
template <class Context> restored load_watched(void* object, std::string_view text) {
    auto& machine = *static_cast<instance<Context>*>(static_cast<instance_base*>(object));
    if constexpr (hsm::detail::serializable<Context> && std::is_copy_constructible_v<Context> && std::is_move_assignable_v<Context>)
        return restore_document(machine, machine.context(), text);
    else
        return restore_document(machine, text);
}
template <class Context> HSM_HIDDEN inline constexpr watched_calls calls_of{&save_watched<Context>, &load_watched<Context>};

template <class Session>
concept is_session = requires(Session& s) {
    s.machine();
    s.invoke_id();
    s.done_data();
};
template <class Session> result process_in_session(void* session, std::string_view event, const std::string& data) {
    auto& s = *static_cast<Session*>(session);
    if (data.empty()) return s.process(event);
    return s.process({.event = std::string(event), .data = data, .sendid = {}, .origin = {}, .origintype = {}, .invokeid = {}});
}
template <class Session>
HSM_HIDDEN inline constexpr watched_calls session_calls_of{
    [](const void* s) { return save_session(*static_cast<const Session*>(s)); },
    [](void* s, std::string_view text) -> restored { return {restore_session(*static_cast<Session*>(s), text), {}}; },
    [](void* s) { return static_cast<Session*>(s)->start(); },
    [](void* s) { return static_cast<Session*>(s)->stop(); },
    &process_in_session<Session>,
    [](const void* s) { return static_cast<const Session*>(s)->finished(); },
};

inline watched watch(const watched& machine) { return machine; }
inline watched watch(instance_base& machine) { return {machine_kind::instance, std::addressof(machine)}; }
template <class Context> watched watch(instance<Context>& machine) {
    auto w = watch(static_cast<instance_base&>(machine));
    w.calls = &calls_of<Context>;
    return w;
}
template <class Context> watched watch(actor<Context>& machine) {
    auto w = watch(machine.machine());
    w.kind = machine_kind::actor;
    return w;
}
template <class Context> watched watch(crowd<Context>& herd) {
    watched w{machine_kind::crowd, static_cast<crowd_base*>(std::addressof(herd))};
    w.contexts = &hsm::detail::saved_context_of<Context>;
    return w;
}
inline watched watch(manager& machines) { return {machine_kind::manager, std::addressof(machines)}; }
inline watched watch(manager& machines, const machine_factory& kinds) {
    return {.kind = machine_kind::manager, .object = std::addressof(machines), .kinds = std::addressof(kinds)};
}
template <is_session Session> watched watch(Session& session) {
    static_assert(
        requires { save_session(session); }, "hsm: include <hsm/scxml.hpp> to list a session on a page");
    auto w = watch(static_cast<instance_base&>(session.machine()));
    w.kind = machine_kind::session;
    w.session = std::addressof(session);
    w.calls = &session_calls_of<Session>;
    return w;
}

/// Returns the address by which a listed machine is found.
template <class Machine> const void* key_of(const Machine& machine) { return watch(const_cast<Machine&>(machine)).object; }

} // namespace hsm::inspect::detail
