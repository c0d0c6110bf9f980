# plain.R - what the pictures of the vignettes share: their form, their size and their colours.
#
# On the site they are vector graphics. In the package, whose size is limited, they are small PNG files without
# antialiasing: at 96 dots an inch a line is a whole pixel wide, at fewer parts of lines are lost.

vector_pictures <- identical(Sys.getenv("IN_PKGDOWN"), "true")
knitr::opts_chunk$set(
  collapse = TRUE, comment = "#>", fig.width = 4.75, fig.height = 2.5, dpi = 96, fig.retina = 1,
  out.width = "100%", fig.align = "center", dev = if (vector_pictures) "svg" else "png",
  dev.args = c(list(bg = "white", pointsize = 7.5), if (!vector_pictures) list(antialias = "none"))
)
blue <- "#0072B2"
orange <- "#D55E00"
green <- "#009E73"
