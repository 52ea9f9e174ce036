#include "fovea/domains/mechanism/statements/long_range_figures.hpp"

namespace fovea::mechanism::statements {

void add_figures_of_long_range(Results& merged) {
  Figure figure;
  figure.kind = FigureKind::lines;
  figure.name = "accuracy_alone";
  figure.title = "Recall, learned from one delay alone";
  figure.caption =
      "Share of right answers on sequences that no training saw; one training for each point. The GRU finds the token "
      "only "
      "as long as a gradient arrives there. Both have the same number of parameters within 2 %. Dashed: chance.";
  figure.variables = {"accuracy_alone"};
  figure.references = {"chance"};
  figure.x = "alone_delay";
  figure.hue = "model";
  figure.log_x = true;
  merged.figure(figure);
  figure.name = "accuracy_together";
  figure.title = "Recall, learned from all delays together";
  figure.caption =
      "The same, one training for all delays. Short delays show the GRU what to hold, and once it holds the token it "
      "can "
      "do so for long: what it lacked was the gradient, not the memory.";
  figure.variables = {"accuracy_together"};
  figure.x = "delay";
  merged.figure(figure);
  figure.name = "gradient_untrained";
  figure.title = "What there is to learn from, before training";
  figure.caption =
      "Geometric mean of the norm of the gradient that arrives at the token. Through the recurrence it decays "
      "exponentially, with the rate at which states of the GRU forget each other; attention that is still spread "
      "evenly "
      "dilutes it as one over the number of tokens. Dashed: both predictions.";
  figure.variables = {"gradient_untrained"};
  figure.references = {"predicted_untrained"};
  figure.x = "step";
  figure.log_x = false;
  figure.log_y = true;
  merged.figure(figure);
  figure.name = "gradient_trained";
  figure.title = "What arrives after training";
  figure.caption =
      "The same after training on all delays together, for an answer that would have to be changed. A GRU that has "
      "learned to hold the token lets the gradient pass much farther than an untrained one.";
  figure.variables = {"gradient_trained"};
  figure.references = {};
  merged.figure(figure);
  figure.name = "gradient_attention";
  figure.title = "The gradient through attention";
  figure.caption =
      "The same for attention alone. Untrained, it is spread evenly and dilutes the gradient as one over the number of "
      "tokens; once it has found the token, the gradient arrives undiminished from any distance. Dashed: both "
      "predictions.";
  figure.variables = {"gradient_attention"};
  figure.references = {"predicted_attention"};
  figure.hue = "stage";
  figure.log_x = true;
  merged.figure(figure);
  figure.name = "learning";
  figure.title = "How they learn";
  figure.caption = "Loss on the sequences held back, all delays together.";
  figure.variables = {"validation_loss"};
  figure.references = {};
  figure.hue = "model";
  figure.x = "epoch";
  figure.log_x = false;
  merged.figure(figure);
}

}  // namespace fovea::mechanism::statements
