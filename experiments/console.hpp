#pragma once
/// What the user sees while a run works: sentences and a progress bar on stderr.

#include <string>

#include "fovea/core/lab/progress.hpp"
#include "fovea/experiments/command.hpp"

namespace fovea::command {

/// The bar is drawn only on a terminal; NO_COLOR switches colours off. Without a terminal there is a line after ten
/// seconds and then one a minute. --quiet keeps all of it and the sentences back, --verbose adds the details.
class Console final : public Narrator {
 public:
  explicit Console(const Arguments& arguments);
  ~Console() override;
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void say(const std::string& sentence) override;
  void detail(const std::string& sentence) override;
  void progress(const Progress& progress) override;
  void clear();  ///< removes the bar

 private:
  void line(const std::string& text);
  bool quiet_, verbose_, terminal_, colours_;
  bool bar_shown_ = false;
  double next_line_ = kFirstLine;  // seconds since the start
  static constexpr double kFirstLine = 10, kBetweenLines = 60;
};

/// Letters of a line of stdout; 0 where it is no terminal.
std::size_t output_width();
/// A sentence for stdout: on a terminal in lines of its width, those behind the first indented; else one line, which a
/// program can read. Ends its line.
std::string sentence(const std::string& text, std::size_t indent = 0);
/// The text with "-" for the true minus sign of rounded_text(): a table that is copied into a program holds numbers.
std::string plain_minus(std::string text);
/// "3 h 20 min", "12 s", "0.42 s".
std::string duration_text(double seconds);
/// "4.1 GB"
std::string bytes_text(double bytes);
/// "34 %, 12 of 40 points, 10 s so far, 20 s left"
std::string progress_text(const Progress& progress);
/// The bar as text: "[=====>    ] 52 %  13 of 25 points  2.1 points/s  6 s left", at most `width` letters.
std::string bar_text(const Progress& progress, std::size_t width);

}  // namespace fovea::command
