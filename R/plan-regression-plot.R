# Plots of plan_regression(): the expected error against the number of rows and against epsilon.

picture.regression_plan <- function(x, ...) { # nolint: object_name_linter.
  panels <- unname(panel_names(x$n[[1]], x$epsilon[[1]]))
  curves <- plan_curves(x)
  planned <- cbind(tidy(x), series = plan_series(x))[!x$beyond, ]
  layers <- lapply(panels, function(panel) {
    here <- curves[curves$facet == panel, ]
    list(rule(here$cliff[[1]], lty = 3, colour = "grey50", panel = panel),
         series_layers(unique(plan_series(x)), function(name, colour, lty, pch) {
           one <- here[here$method == name, ]
           at <- planned[planned$series == name, ]
           list(layer("lines", one$at, one$error, colour = colour, lty = lty, lwd = 2, key = name,
                      panel = panel),
                if (nrow(at) > 0) {
                  layer("points", if (panel == panels[[1]]) at$n else at$epsilon, at$error, colour = colour,
                        pch = pch, key = name, panel = panel)
                })
         }))
  })
  new_picture(layers, picture_axis(log = TRUE, free = TRUE), picture_axis("error of a slope", log = TRUE),
              sprintf("Expected error of a slope, p = %s", grouped(x$p[[1]])),
              "Points: the plan. Left of the dotted line every private regression fails.",
              panels = panels, below = TRUE)
}

# What a line stands for.
plan_series <- function(x) {
  name <- if (is.null(x$tau)) x$method else paste("tau =", vapply(x$tau, format, "", USE.NAMES = FALSE))
  if (is.null(x$share)) return(name)
  ifelse(is.na(x$share), name, paste0(name, ", share ", share_text(x$share)))
}

# The plan at a tenth of its n to ten times as many, and the same of epsilon: facet, at, method, error (NA
# where the method fails) and cliff, below which all fail.
plan_curves <- function(x) {
  plan <- attr(x, "plan")
  n <- x$n[[1]]
  epsilon <- x$epsilon[[1]]
  # a plan with a test takes longer
  steps <- 10^seq(-1, 1, length.out = if (plan$delta > 0) 13 else 31)
  rows <- unique(pmin(pmax(round(n * steps), 4), .Machine$integer.max))
  budgets <- epsilon * steps
  facets <- panel_names(n, epsilon)
  curve <- function(facet, at, n, epsilon, cliff) {
    errors <- regression_errors(n, plan$p, epsilon, plan$delta, plan$prior, plan$unit,
                                plan$shape, plan$tau)
    errors$method <- plan_series(errors)
    errors$error[errors$beyond] <- NA
    data.frame(facet = facet, at = at, errors[c("method", "error")], cliff = cliff)
  }
  out <- c(lapply(rows, function(v) curve(facets[[1]], v, v, epsilon, min_budget / epsilon)),
           lapply(budgets, function(v) curve(facets[[2]], v, n, v, min_budget / n)))
  out <- do.call(rbind, out)
  out$facet <- factor(out$facet, facets)
  out
}
