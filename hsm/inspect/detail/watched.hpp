/// Converts the machines that a page can list to one form, which does not depend on their types.
#pragma once

#include <hsm/run/instance.hpp>
#include <hsm/save/document.hpp>

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

/// Saves and restores a machine, with its context if it has a `serialize`.
struct document_calls {
    std::string (*save)(const instance_base& machine);
    restored (*load)(instance_base& machine, std::string_view text);
};

/// Calls of an SCXML session, which runs its machine by its own rules.
struct session_calls {
    result (*start)(void* session);
    result (*stop)(void* session);
    result (*process)(void* session, std::string_view event, const std::string& data); ///< data: JSON, or empty
    std::string (*save)(const void* session);
    result (*load)(void* session, std::string_view text);
    bool (*finished)(const void* session); ///< its machine has then stopped
};

/// A machine to list. One of the first three members is not null.
struct watched {
    instance_base* instance = nullptr;
    crowd_base* crowd = nullptr;
    hsm::manager* manager = nullptr;
    bool is_actor = false;
    const document_calls* documents = nullptr;          ///< of an instance
    hsm::detail::saved_context (*contexts)() = nullptr; ///< of a crowd: how its documents contain contexts
    const machine_factory* kinds = nullptr;             ///< of a manager; null: it has no documents
    void* session = nullptr;                            ///< of an instance that belongs to a session
    const session_calls* calls = nullptr;               ///< of this session
};

template <class Context> std::string save_watched(const instance_base& machine) {
    if constexpr (hsm::detail::serializable<Context>)
        return save_document(machine, static_cast<const instance<Context>&>(machine).context());
    else
        return save_document(machine);
}
template <class Context> restored load_watched(instance_base& machine, std::string_view text) {
    if constexpr (hsm::detail::serializable<Context> && std::is_copy_constructible_v<Context> && std::is_move_assignable_v<Context>)
        return restore_document(machine, static_cast<instance<Context>&>(machine).context(), text);
    else
        return restore_document(machine, text);
}
template <class Context> HSM_HIDDEN inline constexpr document_calls document_calls_of{&save_watched<Context>, &load_watched<Context>};

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
HSM_HIDDEN inline constexpr session_calls session_calls_of{
    [](void* s) { return static_cast<Session*>(s)->start(); },
    [](void* s) { return static_cast<Session*>(s)->stop(); },
    &process_in_session<Session>,
    [](const void* s) { return save_session(*static_cast<const Session*>(s)); },
    [](void* s, std::string_view text) { return restore_session(*static_cast<Session*>(s), text); },
    [](const void* s) { return static_cast<const Session*>(s)->finished(); },
};

template <class Context> watched watch(instance<Context>& machine) {
    watched w;
    w.instance = std::addressof(machine);
    w.documents = &document_calls_of<Context>;
    return w;
}
template <class Context> watched watch(actor<Context>& machine) {
    auto w = watch(machine.machine());
    w.is_actor = true;
    return w;
}
template <class Context> watched watch(crowd<Context>& herd) {
    watched w;
    w.crowd = std::addressof(herd);
    w.contexts = &hsm::detail::saved_context_of<Context>;
    return w;
}
inline watched watch(manager& machines) {
    watched w;
    w.manager = std::addressof(machines);
    return w;
}
inline watched watch(manager& machines, const machine_factory& kinds) {
    auto w = watch(machines);
    w.kinds = std::addressof(kinds);
    return w;
}
template <is_session Session> watched watch(Session& session) {
    static_assert(
        requires { save_session(session); }, "hsm: include <hsm/scxml.hpp> to list a session on a page");
    watched w;
    w.instance = std::addressof(session.machine());
    w.session = std::addressof(session);
    w.calls = &session_calls_of<Session>;
    return w;
}

// The address by which a listed machine is found.
inline const void* key_of(const instance_base& machine) { return std::addressof(machine); }
template <class Context> const void* key_of(const actor<Context>& machine) { return std::addressof(machine.machine()); }
template <class Context> const void* key_of(const crowd<Context>& herd) { return static_cast<const crowd_base*>(std::addressof(herd)); }
inline const void* key_of(const manager& machines) { return std::addressof(machines); }
template <is_session Session> const void* key_of(const Session& session) { return std::addressof(session.machine()); }

} // namespace hsm::inspect::detail
