# The released table of summaries: its numbers, the table of text, prints and pictures.

# PRIVATE parts of `rows` are not kept: but the sizes of public groups.
new_summary <- function(parts, drawn, rows, given, paid, n, call) {
  groups <- levels(rows$group)
  kinds <- vapply(parts, `[[`, "", "kind")
  sizes <- if (!is.null(groups)) {
    if (given$groups == "public") stats::setNames(tabulate(rows$group, length(groups)), groups)
    else drawn[[which(kinds == "sizes")]]$estimate
  }
  tables <- Map(function(part, release) {
    if (part$kind == "sizes") return(NULL)
    part_table(part, release, sizes)
  }, parts, drawn)
  table <- do.call(rbind, unname(tables))
  table <- with_percentages(table, groups)
  details <- list(
    what = "table of summaries", shares = stats::setNames(vapply(parts, `[[`, 0, "share"), names(parts)),
    quantiles = given$quantiles, sizes = sizes, levels = groups, by = rows$by,
    groups = if (!is.null(groups)) given$groups,
    na = na_detail(given$na)$na, id = if (rows$persons) persons_text
  )
  terms <- paste0(table$variable, ": ", table$term, if (!is.null(groups)) sprintf(" (%s)", table$group))
  release <- new_release(
    stats::setNames(table$estimate, terms), paid, n = n, d = ncol(rows$data), call = call,
    mechanism = "quantiles by the exponential mechanism and discrete Laplace noise on counts, composed",
    details = Filter(Negate(is.null), details)
  )
  release$table <- table
  class(release) <- c("dp_summary", class(release))
  release
}

# The numbers of a release, or of each group, whose doubts are those of its own size.
part_table <- function(part, release, sizes) {
  by_group <- inherits(release, "dp_by")
  releases <- if (by_group) release$releases else list(all = release)
  frames <- Map(function(group, one) {
    counts <- part$kind == "counts"
    # (rows without a group have no column)
    doubt <- if (by_group) group %in% names(sizes) && part$fails(sizes[[group]]) else part$doubt
    uncertain <- if (counts) 1.96 * one$details$noise_sd > one$estimate / 2
                 else rep(doubt || !is.null(one$details$caution), length(one$estimate))
    data.frame(variable = part$variable, term = names(one$estimate), group = group, kind = part$kind,
               estimate = unname(one$estimate), sd = if (counts) one$details$noise_sd else NA_real_,
               uncertain = unname(uncertain))
  }, names(releases), releases)
  do.call(rbind, unname(frames))
}

# With counts of all rows, where these are of groups, and the shares of counts.
with_percentages <- function(table, groups) {
  variables <- unique(table$variable)
  if (!is.null(groups)) table <- rbind(summed_counts(table[table$kind == "counts", ]), table)
  counts <- pmax(table$estimate, 0)
  whole <- stats::ave(counts, paste(match(table$variable, table$variable), match(table$group, table$group)),
                      FUN = sum)
  table$share <- ifelse(table$kind == "counts" & whole > 0, counts / whole, NA_real_)
  table <- table[table$group %in% c("all", groups), ]
  places <- order(match(table$variable, variables), match(table$group, c("all", groups)))
  table <- table[places, c("variable", "term", "group", "kind", "estimate", "share", "sd", "uncertain")]
  row.names(table) <- NULL
  table
}

summed_counts <- function(table) {
  if (nrow(table) == 0) return(NULL)
  key <- paste(match(table$variable, table$variable), match(table$term, table$term))
  first <- !duplicated(key)
  out <- table[first, ]
  out$group <- "all"
  out$estimate <- as.vector(rowsum(table$estimate, key, reorder = FALSE))
  out$sd <- sqrt(as.vector(rowsum(table$sd^2, key, reorder = FALSE)))
  out$uncertain <- 1.96 * out$sd > out$estimate / 2
  out
}

# -- tables ------------------------------------------------------------------------------------------

#' @rdname dp_summary
#' @order 2
#' @export
tidy.dp_summary <- function(x, wide = FALSE, digits = 3L, ...) {
  check_dots(character(), "tidy()")
  if (!check_flag(wide, "wide")) return(x$table)
  digits <- check_count(digits, "digits", upper = 22L)
  groups <- c("all", x$details$levels)
  blocks <- lapply(unique(x$table$variable), function(variable) {
    block <- x$table[x$table$variable == variable, ]
    if (block$kind[[1]] == "counts") count_block(block, variable, groups)
    else quantile_block(block, variable, groups, x$details$quantiles, digits)
  })
  out <- do.call(rbind, blocks)
  stats::setNames(as.data.frame(out), c(by_head(x), group_heads(x)))
}

count_block <- function(block, variable, groups) {
  levels <- unique(block$term)
  cells <- vapply(groups, function(group) {
    here <- block[block$group == group, ]
    here <- here[match(levels, here$term), ]
    share <- ifelse(is.na(here$share), "", sprintf(" (%.0f%%)", 100 * here$share))
    paste0(vapply(pmax(here$estimate, 0), grouped, ""), share, ifelse(here$uncertain, "~", ""))
  }, character(length(levels)))
  rbind(c(paste0(short_text(variable), ", n (%)"), rep("", length(groups))),
        cbind(paste0("  ", short_names(levels)), matrix(cells, length(levels))))
}

quantile_block <- function(block, variable, groups, quantiles, digits) {
  cells <- vapply(groups, function(group) {
    here <- block[block$group == group, ]
    text <- vapply(here$estimate, function(v) with_point(format(v, digits = digits, big.mark = ",")), "")
    paste0(quantile_text(text, quantiles), if (any(here$uncertain)) "~")
  }, "")
  rbind(c(paste0(short_text(variable), ", ", quantile_text(quantile_heads(quantiles), quantiles)), cells))
}

# "median [Q1, Q3]" where the median is in the middle, else all in a row.
quantile_text <- function(text, quantiles) {
  m <- length(quantiles)
  middle <- (m + 1) / 2
  if (m == 1 || m %% 2 == 0 || quantiles[[middle]] != 0.5) return(paste(text, collapse = ", "))
  sprintf("%s [%s]", text[[middle]], paste(text[-middle], collapse = ", "))
}

quantile_heads <- function(quantiles) {
  known <- c("Q1", "median", "Q3")[match(quantiles, c(0.25, 0.5, 0.75))]
  ifelse(is.na(known), quantile_names(quantiles), known)
}

by_head <- function(x) {
  if (is.null(x$details$by)) "" else paste("by", paste(x$details$by, collapse = " and "))
}

# Of private groups the released sizes, which are not below 0.
group_heads <- function(x) {
  all <- if (is.na(x$n)) "all" else sprintf("all (n = %s)", grouped(x$n))
  if (is.null(x$details$levels)) return(all)
  sign <- if (x$details$groups == "private") "~" else "="
  c(all, sprintf("%s (n %s %s)", short_names(x$details$levels), sign,
                 vapply(pmax(x$details$sizes, 0), grouped, "")))
}

#' @rdname dp_summary
#' @order 2
#' @export
as.data.frame.dp_summary <- function(x, row.names = NULL, # nolint: object_name_linter.
                                     optional = FALSE, ...) {
  out <- tidy.dp_summary(x)
  if (!is.null(row.names)) row.names(out) <- row.names
  out
}

#' @rdname dp_summary
#' @order 2
#' @export
format.dp_summary <- function(x, digits = 3L, ...) {
  check_dots(character(), "format()")
  table <- tidy.dp_summary(x, wide = TRUE, digits = digits)
  cells <- rbind(names(table), as.matrix(table))
  columns <- lapply(seq_len(ncol(cells)), function(j) {
    formatC(cells[, j], width = max(nchar(cells[, j], "width")), flag = if (j == 1) "-" else " ")
  })
  with_point(c(title_lines(x), "", table_blocks(columns), property_lines(table_notes(x))))
}

# What stands below a table, wherever it is shown.
table_notes <- function(x) {
  c(guarantee = guarantee_sentence(x),
    groups = if (!is.null(x$details$groups)) {
      if (x$details$groups == "private") "private: who is in which, and how many are in each" else "public"
    },
    counts = if (any(x$table$kind == "counts")) "have noise; those of a variable may add up to more than n",
    "~" = if (any(x$table$uncertain)) {
      "a count whose noise may be more than half of it, or quantiles that may be noise"
    },
    na = x$details$na, id = x$details$id)
}

note_lines <- function(x) {
  notes <- with_point(table_notes(x))
  paste0(names(notes), ": ", notes, ".")
}

# As many columns beside the first as the screen is wide, then the rest.
table_blocks <- function(columns) {
  wide <- vapply(columns, function(column) nchar(column[[1]], "width"), 0) + 2
  lines <- character()
  rest <- seq_along(columns)[-1]
  while (length(rest) > 0) {
    fits <- max(1, sum(wide[[1]] + cumsum(wide[rest]) <= getOption("width")))
    block <- do.call(paste, c(columns[c(1, rest[seq_len(fits)])], sep = "  "))
    lines <- c(lines, paste0("  ", sub(" +$", "", block)), "")
    rest <- rest[-seq_len(fits)]
  }
  lines
}

# What the table cost, part by part: the numbers are in the table.
#' @rdname dp_summary
#' @order 2
#' @export
summary.dp_summary <- function(object, ...) {
  check_dots(character(), "summary()")
  shares <- object$details$shares
  object$details$shares <- object$details$sizes <- NULL
  structure(list(parts = data.frame(part = names(shares), share = unname(shares),
                                    epsilon = unname(shares) * object$epsilon),
                 title = with_point(title_lines(object)),
                 properties = with_point(release_properties(object))), class = "summary.dp_summary")
}

#' @export
print.summary.dp_summary <- function(x, ...) {
  writeLines(format(x, ...))
  invisible(x)
}

#' @export
format.summary.dp_summary <- function(x, digits = 2L, ...) {
  parts <- sprintf("%s %s%%", short_names(x$parts$part), format(100 * x$parts$share, digits = digits))
  c(x$title, "", property_lines(c(x$properties, shares = toString(parts))))
}

# In a document: the table and its notes; within a sentence a line.
#' @rawNamespace S3method(knitr::knit_print,dp_summary)
knit_print.dp_summary <- function(x, ..., inline = FALSE) { # nolint: object_name_linter.
  if (inline) return(as.character(x))
  table <- knitr::kable(tidy.dp_summary(x, wide = TRUE))
  notes <- gsub("~", "\\~", note_lines(x), fixed = TRUE)
  knitr::asis_output(paste(c("", table, "", paste(notes, collapse = " "), ""), collapse = "\n"))
}

# -- pictures ----------------------------------------------------------------------------------------

# A panel for each numeric variable: in each row the quantiles.
picture.dp_summary <- function(x, most = 12L, ...) { # nolint: object_name_linter.
  table <- x$table[x$table$kind == "quantiles", ]
  variables <- utils::head(unique(table$variable), most)
  if (length(variables) == 0) stop_input("x", "a table with a numeric variable", "one without")
  groups <- c("all", x$details$levels)
  m <- length(x$details$quantiles)
  alone <- length(variables) == 1
  place <- rev(seq_along(groups))
  layers <- lapply(variables, function(variable) {
    here <- table[table$variable == variable, ]
    at <- matrix(here$estimate, m)
    noise <- matrix(here$uncertain, m)[1, ]
    list(quantile_layers(at, place, if (!alone) variable), if (any(noise)) {
      layer("text", at[(m + 1) %/% 2, noise], place[noise], label = "~", adj = c(0.5, -0.4), cex = 1.4,
            panel = if (!alone) variable)
    })
  })
  shown <- table$variable %in% variables
  new_picture(list(rule(y = seq_along(groups), colour = "grey90"), layers),
              picture_axis(if (alone) variables else "", free = TRUE), row_axis(short_names(groups)),
              paste("Private", quantile_text(quantile_heads(x$details$quantiles), x$details$quantiles)),
              paste(with_point(c(guarantee_name(x), if (any(table$uncertain[shown])) "~: may be noise")),
                    collapse = "; "), panels = if (!alone) variables, below = TRUE)
}
