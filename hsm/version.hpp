/// The library's version, as one number that the preprocessor can compare: 10000 * major + 100 * minor + patch.
#pragma once

#define HSM_VERSION 200
