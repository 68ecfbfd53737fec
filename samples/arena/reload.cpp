#include "reload.hpp"

#include <hsm/save/document.hpp>

#include <cstddef>
#include <exception>
#include <sstream>
#include <system_error>
#include <utility>

namespace arena {

namespace {

/// Returns the time of the last change; the earliest time if the file is missing because an editor replaces it now.
std::filesystem::file_time_type change_of(const std::string& file) {
    std::error_code ignored;
    return std::filesystem::last_write_time(file, ignored);
}

} // namespace

reloader::reloader(const std::string& folder) {
    for (std::size_t i = 0; i < files_.size(); ++i) {
        files_[i].file = folder + '/' + enemy_names[i] + ".xml";
        files_[i].changed = change_of(files_[i].file);
    }
}

std::optional<std::vector<std::string>> reloader::poll(world& game) {
    std::optional<std::vector<std::string>> report;
    for (std::size_t i = 0; i < files_.size(); ++i) {
        auto& [file, changed] = files_[i];
        const auto now = change_of(file);
        if (now == changed || now == std::filesystem::file_time_type::min()) continue;
        changed = now;
        if (!report) report.emplace();
        try {
            auto lost = game.replace_chart(static_cast<enemy_kind>(i), load_enemy(file));
            report->insert(report->end(), lost.begin(), lost.end());
        } catch (const std::exception& e) { // load_error or definition_error: all errors, one on each line
            std::istringstream lines(e.what());
            for (std::string line; std::getline(lines, line);) report->push_back(line);
        }
    }
    return report;
}

/// Each machine is carried over by a document, which is adapted to the new chart.
std::vector<std::string> world::replace_chart(enemy_kind kind, const hsm::chart<enemy>& chart) {
    std::vector<std::string> lost;
    for (auto& foe : enemies_) {
        if (foe.self.kind != kind) continue;
        const auto before = foe.chart; // after the move, `next` still refers to it
        hsm::instance<enemy> next(chart, foe.self);
        const auto restored = hsm::restore_document(next, hsm::save_document(foe.machine));
        for (const auto& change : restored.changes) lost.push_back(change.to_string());
        foe.machine = std::move(next);
        foe.chart = chart;
    }
    return lost;
}

} // namespace arena
