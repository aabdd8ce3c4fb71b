// The runs of a set in a table, and one run: what it is, what came of it, its steps, and the command that repeats it alone.

const findRun = key => {
  for (const set of data.sets) {
    const run = labelRuns(set).find(candidate => candidate.key === key);
    if (run) return [set, run];
  }
  return [undefined, undefined];
};

const pairs = entries => {
  const list = element('dl', { class: 'pairs' });
  for (const [name, value] of entries) list.append(element('dt', {}, name), element('dd', {}, value));
  return list;
};

// Every attempt at a step, as the record has them: sizes, orders, estimates, and what became of each.
const drawHistory = history => {
  const { t, h, order, error, outcome } = history;
  const of = (label, keep, y, style) => ({ label, style, x: t.filter((_, i) => keep(i)), y: y.filter((_, i) => keep(i)) });
  const outcomes = unique(outcome);
  const panels = [{ x_label: 'time [s]', y_label: 'step size [s]', log_x: false, log_y: true,
    series: outcomes.map(name => of(name, i => outcome[i] === name, h, name === 'accepted' ? 'line' : 'points')) }];
  if (error?.some(e => e !== null)) panels.push({ x_label: 'time [s]', y_label: 'error estimate over tolerance', log_x: false, log_y: true,
    series: outcomes.map(name => of(name, i => outcome[i] === name && error[i] !== null, error, 'points')) });
  if (order && unique(order).length > 1) panels.push({ x_label: 'time [s]', y_label: 'order', log_x: false, log_y: false, series: [{ label: 'order', style: 'line', x: t, y: order }] });
  const place = element('div', { class: 'plot', role: 'group', 'aria-label': 'Plot: history of the steps' });
  requestAnimationFrame(() => drawPanels(place, panels));
  const counts = outcomes.map(name => `${outcome.filter(o => o === name).length} ${name}`).join(', ');
  return element('section', { id: 'history' }, element('h3', {}, 'Steps'), element('p', {}, `${outcome.length} attempts: ${counts}.`), place, element('div', { class: 'tools' }, ...exports(place, 'steps')));
};

// What came of it, errors first; options stand in the specification.
const resultsOf = run => {
  const order = Object.keys(words), place = path => order.includes(path) ? order.indexOf(path) : order.length;
  return Object.entries(numbersOf(run)).filter(([path]) => !/^(method|problem)\//.test(path)).sort(([a], [b]) => place(a) - place(b));
};

let runWindow;
const showRun = key => {
  const [set, run] = findRun(key);
  if (!runWindow) {
    runWindow = element('dialog', { class: 'run', 'aria-labelledby': 'run-title' });
    runWindow.addEventListener('close', () => { if (address().place.startsWith('run-')) keepView(runWindow.dataset.back || 'top', {}); });
    document.body.append(runWindow);
  }
  runWindow.dataset.back = set ? `set-${set.folder}` : '';
  const head = element('div', { class: 'head' }, element('h2', { id: 'run-title' }, run ? run.label : 'This run is not here'), button('Close', () => runWindow.close()));
  runWindow.replaceChildren(head, ...(run ? runParts(set, run) : [element('p', {}, `The data of this page hold no run with the key ${key}.`)]));
  if (!runWindow.open) runWindow.showModal();
  runWindow.scrollTop = 0;
  return true;
};

const runParts = (set, run) => {
  const command = run.command;
  const failed = run.status !== 'ok';
  const parts = [element('p', {}, `Status: ${run.status}${failed && run.cause ? `, ${run.cause}` : ''}`)];
  for (const warning of run.warnings ?? []) parts.push(element('p', { class: 'warning' }, `Warning ${warning.kind}: ${warning.text}`));
  if (command) parts.push(element('h3', {}, 'Again, alone'), element('pre', { tabindex: '0' }, command), element('div', { class: 'tools' }, copyButton('Copy the command', () => command, 'command')));
  else parts.push(element('p', {}, 'No single command repeats this run; its set does: ', element('code', {}, set.command)));
  if (run.history?.t) parts.push(drawHistory(run.history));
  else parts.push(element('section', { id: 'history' }, element('h3', {}, 'Steps'), element('p', {}, command
    ? 'The history of its steps was not stored: runs with error control keep it with "history": true in the config, or the command above shows it with --history --json.'
    : 'The history of its steps was not stored.')));
  const shown = results => pairs(results.map(([path, value]) => [wordsOf(path), formatted(value, 8)]));
  const results = resultsOf(run), first = results.filter(([path]) => words[path]), rest = results.filter(([path]) => !words[path]);
  parts.push(element('h3', {}, 'Numbers'), shown(first.length ? first : rest));
  if (first.length && rest.length) parts.push(element('details', {}, element('summary', {}, `${rest.length} more numbers`), shown(rest)));
  const specification = Object.entries(run.spec).filter(([, value]) => value !== null && value !== '');
  parts.push(element('h3', {}, 'Specification'), pairs(specification.map(([name, value]) => [name, specText(value)])),
    element('p', { class: 'note' }, `Key ${run.key}`), element('div', { class: 'tools' }, copyButton('Copy the record as JSON', () => JSON.stringify(recordOf(run), null, 1), 'record')));
  return parts;
};
const recordOf = ({ numbers, named, curve, factors: parts, step, label, command, is_reference: isReference, ...record }) => record;

// The table of all runs, made when it is opened.
const tables = new Map();
const openRuns = details => {
  const place = details.querySelector('.runs');
  if (tables.has(details)) return tables.get(details);
  const set = data.sets[details.dataset.set];
  addPoints(set);
  const runs = labelRuns(set);
  const axes = axesOf(runs).slice(0, 14);
  const columns = [{ name: 'run' }, { name: 'status' }, ...axes.map(path => ({ name: wordsOf(path), number: true }))];
  const head = element('tr', {}, ...columns.map(column => element('th', { scope: 'col', class: column.number && 'number' }, column.name)));
  const table = element('table', { class: 'data' }, element('caption', {}, `Runs of ${set.title}`), element('thead', {}, head), element('tbody'));
  const label = `Runs of ${set.title}`;
  place.append(element('div', { class: 'scroll', role: 'region', tabindex: '0', 'aria-label': label }, table));
  const rows = runs.map(run => ({ run, numbers: [NaN, NaN, ...axes.map(path => numbersOf(run)[path] ?? NaN)],
    cells: [run.label, run.status, ...axes.map(path => formatted(numbersOf(run)[path], 5))] }));
  const make = row => {
    const line = element('tr', {}, element('th', { scope: 'row' }, element('a', { href: `#run-${row.run.key}` }, row.run.label)), element('td', {}, row.run.status));
    axes.forEach((path, i) => line.append(element('td', { class: 'number' }, row.cells[i + 2])));
    return line;
  };
  const made = new Table(table, columns, rows, make);
  tables.set(details, made);
  return made;
};

// #runs-<claim>: the runs that a claim rests on.
const showEvidence = id => {
  const evidence = data.evidence[id];
  if (!evidence) return false;
  const [place, keys] = evidence;
  if (keys.length === 1) return showRun(keys[0]);
  const details = document.querySelector(`details.runtable[data-set="${place}"]`);
  if (!details) return false;
  openTo(details);
  const table = openRuns(details);
  const wanted = new Set(keys);
  table.keep = keys.length ? row => wanted.has(row.run.key) : () => true;
  table.note?.remove();
  if (keys.length) {
    table.note = element('p', {}, `${keys.length} runs that “${id}” rests on. `, button('Show all', () => { table.keep = () => true; table.note.remove(); table.show(); }));
    table.tools.before(table.note);
  }
  table.show();
  details.scrollIntoView();
  return true;
};
