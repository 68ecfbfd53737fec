/// Forward declarations, for headers that only refer to machines, charts and states.
#pragma once

#include <cstdint>

namespace hsm {

enum class result : std::uint8_t;
enum class reason : std::uint8_t;
enum class decision_order : std::uint8_t;
enum class code : std::uint16_t;

class state_base;
class state_ref;
struct state_key;
struct state_query;
struct tag;
struct successor;
class condition;
struct transition_spec;
class time_span;
template <class T> class owned;
template <class Context> class state;
template <class Context> class fsm;
template <class Context> class step;

struct compile_options;
struct finding;
class chart_base;
template <class Context> class chart;

struct instance_options;
class instance_base;
template <class Context> class instance;
template <class Context> class actor;
class mailbox;

struct agent_id;
struct crowd_options;
template <class Context> class crowd;

class managed_base;
template <class Context> class managed;
class manager;

template <class Context> class registrar;
template <class Context> class registry;

} // namespace hsm
