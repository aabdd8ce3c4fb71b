// What the theme leaves out for those who use a keyboard or a screen reader; it makes some of these parts after this runs.
const reach = () => {
  document.querySelectorAll('.md-typeset__scrollwrap:not([tabindex]), .md-typeset pre > code:not([tabindex])').forEach(part => part.setAttribute('tabindex', '0'));
  document.querySelectorAll('input[aria-hidden="true"]:not([tabindex])').forEach(part => part.setAttribute('tabindex', '-1'));
  document.querySelector('[data-md-component="search"]:not([aria-label])')?.setAttribute('aria-label', 'Search');
};
reach();
new MutationObserver(reach).observe(document.body, { childList: true, subtree: true });
