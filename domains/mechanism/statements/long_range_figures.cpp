#include "fovea/domains/mechanism/statements/long_range_figures.hpp"

namespace fovea::mechanism::statements {

void add_figures_of_long_range(Results& merged) {
  merged.figure({.kind = "lines",
                 .name = "accuracy_alone",
                 .title = "Recall, learned from one delay alone",
                 .caption = "Share of right answers on sequences that no training saw; one training for each point. "
                            "The GRU finds the token only as long as a gradient arrives there. Both have the same "
                            "number of parameters within 2 %. Dashed: chance.",
                 .variables = {"accuracy_alone"},
                 .references = {"chance"},
                 .x = "alone_delay",
                 .hue = "model",
                 .log_x = true});
  merged.figure({.kind = "lines",
                 .name = "accuracy_together",
                 .title = "Recall, learned from all delays together",
                 .caption =
                     "The same, one training for all delays. Short delays show the GRU what to hold, and once it holds "
                     "the token it can do so for long: what it lacked was the gradient, not the memory.",
                 .variables = {"accuracy_together"},
                 .references = {"chance"},
                 .x = "delay",
                 .hue = "model",
                 .log_x = true});
  merged.figure(
      {.kind = "lines",
       .name = "gradient_untrained",
       .title = "What there is to learn from, before training",
       .caption = "Geometric mean of the norm of the gradient that arrives at the token. Through the recurrence it "
                  "decays exponentially, with the rate at which states of the GRU forget each other; attention that is "
                  "still spread evenly dilutes it as one over the number of tokens. Dashed: both predictions.",
       .variables = {"gradient_untrained"},
       .references = {"predicted_untrained"},
       .x = "step",
       .hue = "model",
       .log_y = true});
  merged.figure(
      {.kind = "lines",
       .name = "gradient_trained",
       .title = "What arrives after training",
       .caption = "The same after training on all delays together, for an answer that would have to be changed. A GRU "
                  "that has learned to hold the token lets the gradient pass much farther than an untrained one.",
       .variables = {"gradient_trained"},
       .x = "step",
       .hue = "model",
       .log_y = true});
  merged.figure({.kind = "lines",
                 .name = "gradient_attention",
                 .title = "The gradient through attention",
                 .caption = "The same for attention alone. Untrained, it is spread evenly and dilutes the gradient as "
                            "one over the number of tokens; once it has found the token, the gradient arrives "
                            "undiminished from any distance. Dashed: both predictions.",
                 .variables = {"gradient_attention"},
                 .references = {"predicted_attention"},
                 .x = "step",
                 .hue = "stage",
                 .log_x = true,
                 .log_y = true});
  merged.figure({.kind = "lines",
                 .name = "learning",
                 .title = "How they learn",
                 .caption = "Loss on the sequences held back, all delays together.",
                 .variables = {"validation_loss"},
                 .x = "epoch",
                 .hue = "model",
                 .log_y = true});
}

}  // namespace fovea::mechanism::statements
