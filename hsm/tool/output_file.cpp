#include <hsm/tool/detail/output_file.hpp>

#include <hsm/op/detail/format.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hsm::detail::tool {

namespace {

bool is_stdout(const std::string& path) { return path == "-"; }

/// Resolves links. Returns `path` unchanged if it does not exist.
std::string behind_links(const std::string& path) {
    char* const found = realpath(path.c_str(), nullptr);
    if (!found) return path;
    std::string target = found;
    std::free(found);
    return target;
}

[[noreturn]] void refuse_output(const std::string& path, std::string_view what, int error) {
    const auto code = what == "read" ? std::optional(code::unreadable_file) : std::nullopt;
    throw command_error({{.text = fmt::format("it cannot be {}: {}", what, reason_of(error)), .where = {path, 0, 0}, .code = code}},
                        exit_code::failed);
}

bool may(const std::string& path, int what) { return faccessat(AT_FDCWD, path.c_str(), what, AT_EACCESS) == 0; }

/// Returns the mode that a newly created file would have without a temporary file.
mode_t mode_of_new_file() {
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

} // namespace

std::string reason_of(int error) {
    switch (error) {
    case ENOENT: return "no such file or directory";
    case EISDIR: return "it is a directory";
    case EACCES: return "permission denied";
    case ENOSPC: return "the disk is full";
    case ENOTDIR: return "a part of its path is not a directory";
    default: return std::strerror(error);
    }
}

output_file::output_file(const std::string& path, environment& here) : path_(path), terminal_(here.terminal) {
    if (is_stdout(path_)) return;
    target_ = behind_links(path_);
    struct stat there {};
    const bool exists = stat(target_.c_str(), &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) fail(EISDIR);
    if (exists && !may(target_, W_OK)) fail(errno);
    if (exists && !S_ISREG(there.st_mode)) {
        file_ = std::fopen(target_.c_str(), "wb");
        if (!file_) fail(errno);
        return;
    }
    replaces_ = true;
    if (!open_new(exists ? there.st_mode & 07777 : mode_of_new_file())) {
        const int error = errno;
        discard();
        fail(error);
    }
}

bool output_file::open_new(unsigned mode) {
    int made = -1;
#ifdef O_TMPFILE
    const auto slash = target_.rfind('/');
    const auto folder = slash == target_.npos ? std::string(".") : target_.substr(0, slash + 1);
    if (may("/proc/self/fd", X_OK)) made = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
#endif
    if (made < 0) {
        temporary_ = target_ + ".XXXXXX";
        made = mkstemp(temporary_.data());
        if (made < 0) temporary_.clear();
    }
    if (made < 0) return false;
    file_ = fdopen(made, "wb");
    if (!file_) close(made);
    return file_ && fchmod(made, mode) == 0;
}

/// Links an unnamed file under a temporary name in the folder of the old file, because linkat() cannot replace a file.
bool output_file::give_name() {
    if (!temporary_.empty()) return true;
    const auto from = fmt::format("/proc/self/fd/{}", fileno(file_));
    for (unsigned number = 0;; ++number) {
        temporary_ = fmt::format("{}.{}-{}", target_, getpid(), number);
        if (linkat(AT_FDCWD, from.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
        if (errno != EEXIST || number == 1000) break;
    }
    temporary_.clear();
    return false;
}

output_file::~output_file() { discard(); }

void output_file::discard() {
    if (file_) std::fclose(file_);
    file_ = nullptr;
    if (!temporary_.empty()) unlink(temporary_.c_str());
    temporary_.clear();
}

bool output_file::write(const void* bytes, std::size_t count) {
    if (is_stdout(path_)) {
        terminal_.write({static_cast<const char*>(bytes), count});
        error_ = terminal_.error();
        return error_ == 0;
    }
    errno = 0;
    if (error_ == 0 && std::fwrite(bytes, 1, count, file_) != count) error_ = errno ? errno : EIO;
    return error_ == 0;
}

void output_file::finish() {
    if (is_stdout(path_)) {
        if (!terminal_.flush()) fail(terminal_.error());
        return;
    }
    errno = 0;
    const bool flushed = std::fflush(file_) == 0 && (!replaces_ || fsync(fileno(file_)) == 0);
    if (!flushed && error_ == 0) error_ = errno ? errno : EIO;
    if (error_ == 0 && replaces_ && !give_name()) error_ = errno;
    if (std::fclose(std::exchange(file_, nullptr)) != 0 && error_ == 0) error_ = errno ? errno : EIO;
    if (error_ == 0 && !temporary_.empty() && std::rename(temporary_.c_str(), target_.c_str()) != 0) error_ = errno;
    if (error_ != 0) {
        discard();
        fail(error_);
    }
    temporary_.clear();
}

void output_file::fail(int error) const { refuse_output(is_stdout(path_) ? "(stdout)" : path_, "written", error); }

void write_output(const std::string& path, std::string_view text, environment& here) {
    output_file file(path, here);
    file.write(text.data(), text.size());
    file.finish();
}

std::string read_input(const std::string& path, environment& here) {
    if (path != "-") require_file(path);
    std::FILE* const file = path == "-" ? here.terminal.in() : std::fopen(path.c_str(), "rb");
    if (!file) refuse_output(path, "read", errno);
    std::string text, piece(1 << 16, '\0');
    errno = 0;
    while (const auto count = std::fread(piece.data(), 1, piece.size(), file)) text.append(piece, 0, count);
    const int error = std::ferror(file) ? (errno ? errno : EIO) : 0;
    if (path != "-") std::fclose(file);
    if (error != 0) refuse_output(path, "read", error);
    return text;
}

std::string shown_file(const std::string& path) { return path == "-" ? "(stdin)" : path; }

void refuse_file(const std::string& path, int error) { refuse_output(path, "read", error); }

void require_file(const std::string& path) {
    struct stat there {};
    if (stat(path.c_str(), &there) != 0) refuse_output(path, "read", errno);
    if (S_ISDIR(there.st_mode)) refuse_output(path, "read", EISDIR);
    if (!may(path, R_OK)) refuse_output(path, "read", errno);
}

} // namespace hsm::detail::tool
