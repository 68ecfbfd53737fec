/// Saving and restoring instances, crowds and managers: images (bytes), documents (JSON), hashes and differences.
#pragma once

#include <hsm/save/archive.hpp>
#include <hsm/save/check_saveable.hpp>
#include <hsm/save/crowd_image.hpp>
#include <hsm/save/difference.hpp>
#include <hsm/save/hash.hpp>
#include <hsm/save/image.hpp>
#include <hsm/save/machine_factory.hpp>
#include <hsm/save/manager_image.hpp>
#include <hsm/save/save_error.hpp>
#include <hsm/save/serialize.hpp>
#if __has_include(<hsm/save/document.hpp>) // installed with hsm-json
#include <hsm/save/crowd_document.hpp>
#include <hsm/save/document.hpp>
#include <hsm/save/manager_document.hpp>
#endif
