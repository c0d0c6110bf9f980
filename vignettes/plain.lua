-- plain.lua - formulas in a line as MathJax reads them, without an element about each: a tenth of the pages.
function Math(formula)
  if formula.mathtype ~= "InlineMath" then return nil end
  local text = formula.text:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;")
  return pandoc.RawInline("html", "\\(" .. text .. "\\)")
end
