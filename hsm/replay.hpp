/// Logs of inputs, replays, and rollback.
#pragma once

#include <hsm/replay/input_log.hpp>
#include <hsm/replay/replay.hpp>
#include <hsm/replay/replay_error.hpp>
#include <hsm/replay/rollback.hpp>
#include <hsm/replay/shrink.hpp>
#include <hsm/replay/sync_test.hpp>
