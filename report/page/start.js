// Where everything begins: the data are unpacked first.

// A part that is folded waits until it is opened; a quick reader has opened it before this runs.
const onOpen = (details, use) => details.open ? use() : details.addEventListener('toggle', use, { once: true });

const begin = () => {
  document.documentElement.classList.add('script');
  document.body.append(spoken);
  for (const table of document.querySelectorAll('table.claims, table.data')) {
    // Folded tables wait until they are opened.
    const details = table.closest('details:not([open])');
    if (details) details.addEventListener('toggle', () => enhance(table), { once: true });
    else enhance(table);
  }
  if (typeof Plotly !== 'undefined') {
    for (const figure of document.querySelectorAll('figure[data-figure]')) animateFigure(figure);
    for (const details of document.querySelectorAll('details.explore')) onOpen(details, () => openExplorer(details));
  }
  for (const details of document.querySelectorAll('details.runtable')) onOpen(details, () => openRuns(details));
  for (const place of document.querySelectorAll('.motions')) showMotions(place);
  onVisit('run-', showRun);
  onVisit('runs-', showEvidence);
  addEventListener('hashchange', visit);
  visit();
};
const start = async () => {
  const [block, plotly] = ['data', 'plotly'].map(id => document.getElementById(id));
  let failure = '';
  try {
    if (block) data = JSON.parse(await unpack(block));
    if (data.format !== knownFormat) failure = `The data of this page are of format ${data.format}, which its scripts do not know`;
    else if (plotly) runScript(await unpack(plotly));
  } catch (error) {
    failure = `This browser cannot read the data of this page (${error.message})`;
  }
  if (failure) document.querySelector('main').prepend(element('p', { class: 'warning' }, `${failure}; tables and drawings stand as they are.`));
  else begin();
};
start();

// Print shows everything that is folded.
let folded = [];
addEventListener('beforeprint', () => {
  folded = [...document.querySelectorAll('details:not([open]):not(.menu):not(.explore):not(.runtable)')];
  folded.forEach(part => { part.open = true; });
});
addEventListener('afterprint', () => folded.forEach(part => { part.open = false; }));
