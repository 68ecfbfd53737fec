/// A folder for one test, which the destructor removes.
#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <system_error>

namespace hsm::test {

class temporary_folder {
public:
    explicit temporary_folder(const std::string& name)
        : path_(std::filesystem::weakly_canonical(std::filesystem::temp_directory_path()) /
                ("hsm_" + name + "_" + std::to_string(std::random_device()()))) {
        std::filesystem::create_directories(path_);
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    ~temporary_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace hsm::test
