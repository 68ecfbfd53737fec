/// A crowd whose agents are distributed over the processes of an MPI job. Link hsm-cluster.
#pragma once

#include <hsm/cluster/cluster_error.hpp>
#include <hsm/cluster/communicator.hpp>
#include <hsm/cluster/distributed_base.hpp>
#include <hsm/cluster/distributed_crowd.hpp>
#include <hsm/cluster/distributed_options.hpp>
