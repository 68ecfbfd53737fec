/// Crowds: many machines of one chart.
#pragma once

#include <hsm/crowd/agent_id.hpp>
#include <hsm/crowd/batch.hpp>
#include <hsm/crowd/crowd.hpp>
#include <hsm/crowd/crowd_base.hpp>
#include <hsm/crowd/crowd_error.hpp>
#include <hsm/crowd/crowd_mailbox.hpp>
#include <hsm/crowd/crowd_options.hpp>
#if __has_include(<hsm/crowd/workers.hpp>) // installed with hsm-workers
#include <hsm/crowd/workers.hpp>
#endif
