// The address: #PLACE?key=value&..., where PLACE is the id of an element and the rest is its view. What a link shows is what
// its sender saw.

const address = () => {
  const [place, query = ''] = location.hash.slice(1).split('?');
  let name = place;
  try { name = decodeURIComponent(place); } catch { /* a stray % in a link typed by hand */ }
  return { place: name, view: new URLSearchParams(query) };
};

// The view of a place as the address has it; empty for other places.
const viewOf = place => address().place === place ? address().view : new URLSearchParams();

// Without an entry in the history of the browser, and without moving the page.
const keepView = (place, view) => {
  const query = new URLSearchParams(Object.entries(view).filter(([, value]) => value !== '' && value !== undefined)).toString();
  history.replaceState(null, '', `#${encodeURIComponent(place)}${query ? `?${query}` : ''}`);
};

// Who shows what a place's name begins with: runs and views are made when they are asked for.
const visitors = [];
const onVisit = (prefix, show) => visitors.push([prefix, show]);

const openTo = target => {
  for (let part = target; part; part = part.parentElement) if (part.tagName === 'DETAILS') part.open = true;
};
const visit = () => {
  const { place } = address();
  if (!place) return;
  for (const [prefix, show] of visitors) if (place.startsWith(prefix) && show(place.slice(prefix.length))) return;
  const target = document.getElementById(place);
  if (!target) return;
  openTo(target);
  target.scrollIntoView();
};
