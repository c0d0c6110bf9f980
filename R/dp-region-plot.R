# Pictures of regions in the plane: polygons about a released median, from released and public numbers only.

part_fills <- c(fence = "#E8F1FA", outer = "#C5DCEF", region = "#6BA3D0", inner = "#4A86B8")

# Polygons, outermost first, the median and the public box, of which no more is shown than lies about these.
picture.dp_region <- function(x, ...) { # nolint: object_name_linter.
  range <- public_range(x)
  parts <- if (inherits(x, "dp_region")) rev(region_parts(x)) else list(region = region_outline(x, range))
  axis <- function(j) {
    picture_axis(release_terms(x)[[j]], limits = range(unlist(lapply(parts, function(part) part[, j]))))
  }
  new_picture(list(
    layer("bars", range$lower[[1]], range$lower[[2]], xend = range$upper[[1]], yend = range$upper[[2]],
          colour = "grey60", lty = 2),
    Map(function(name, part) {
      layer("polygon", part[, 1], part[, 2], key = name, fill = part_fills[[name]], colour = "#1F5F99")
    }, names(parts), parts),
    centre_layer(x$estimate)
  ), axis(1), axis(2), plot_title(x), plane_caption(x))
}

picture.dp_median_region <- picture.dp_region # nolint: object_name_linter.

# The ellipse of a confidence region; the public box where it is infinite.
region_outline <- function(x, range) {
  radius <- x$details$region[[1, "radius"]]
  if (is.infinite(radius)) {
    return(cbind(range$lower[[1]] + c(0, 1, 1, 0) * (range$upper[[1]] - range$lower[[1]]),
                 range$lower[[2]] + c(0, 0, 1, 1) * (range$upper[[2]] - range$lower[[2]])))
  }
  angle <- 2 * pi * (seq_len(180) - 1) / 180
  reach <- radius * prior_reach(x$details$prior)$scale
  edge <- x$details$shape %*% rbind(cos(angle), sin(angle))
  cbind(x$estimate[[1]] + reach[[1]] * edge[1, ], x$estimate[[2]] + reach[[2]] * edge[2, ])
}

plane_caption <- function(x) {
  said <- if (inherits(x, "dp_region")) {
    sprintf("%s %s", x$details$measure, format(x$details$level))
  } else {
    paste0(sprintf("%s%% region", format(100 * x$details$level)),
           if (is.infinite(x$details$region[[1, "radius"]])) ", infinite: the public limits")
  }
  sprintf("%s; %s; dashed: the public limits, where in sight", guarantee_name(x), said)
}
