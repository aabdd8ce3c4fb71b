// The runs of a set in a plot whose axes are any of their numbers: curves by family, form and scalar, the best of each family,
// small multiples, and who needs least for an accuracy.

// Errors against references are made by the evaluation: a point of the analysis goes to the run that it is of.
const addPoints = set => {
  if (set.hasPoints) return;
  set.hasPoints = true;
  const names = Object.keys(runsOf(set)[0]?.spec ?? {}).filter(name => !along.has(name)).sort();
  const key = spec => JSON.stringify(names.map(name => spec?.[name] ?? null));
  const step = of => ['h', 'rtol'].map(name => of[name] ?? '').join('|');
  const places = new Map();
  for (const run of runsOf(set)) places.set(`${key(run.spec)} ${step(run.spec)}`, run);
  for (const series of set.points ?? [])
    for (const point of series.points) {
      const run = places.get(`${key(series.spec)} ${step(point)}`);
      if (run) for (const [name, value] of Object.entries(point)) run[name] ??= value;
    }
};

class Explorer {
  constructor(place, set, id) {
    Object.assign(this, { place, set, id });
    addPoints(set);
    this.runs = labelRuns(set).filter(run => run.status === 'ok' && !run.is_reference);
    this.axes = axesOf(this.runs);
    const view = viewOf(id);
    const first = (...wanted) => wanted.find(path => this.axes.includes(path));
    const text = [['x', first('h', 'stats/cpu_seconds', 'rtol', 'stats/steps') ?? this.axes[0]], ['y', first('errors/q', 'error/q', 'errors/y', 'error/y', 'max/energy_error', 'max/position_constraint') ?? this.axes.find(isError) ?? this.axes[1] ?? this.axes[0]],
      ['multiples', ''], ['at', '']];
    for (const [key, usual] of text) this[key] = view.get(key) || usual;
    this.best = view.get('best') === '1';
    this.off = new Set((view.get('off') ?? '').split('|').filter(name => name));
    this.plot = element('div', { class: 'plot', role: 'group', 'aria-label': `Runs of ${set.title}: plot with free axes` });
    this.unseen = element('p', { class: 'note unseen', hidden: true });
    this.ranks = element('div', { class: 'ranks' });
    this.looks = looksOf(set, unique(this.runs.map(run => run.curve)));
    place.append(this.controls(), this.plot, this.unseen, element('div', { class: 'tools' }, ...exports(this.plot, `${set.name}-runs`), this.linkButton()), this.ranks);
    drawLater(this.plot, () => this.draw());
  }

  linkButton() {
    return copyButton('Link to this view', () => { this.keep(); return location.href; }, 'link');
  }

  controls() {
    const axes = this.axes.map(path => [path, wordsOf(path)]);
    const change = key => value => { this[key] = value; this.changed(); };
    const kinds = [['', 'one plot'], ...this.splitters().map(([name]) => [name, `one per ${name}`])];
    const level = element('input', { type: 'text', inputmode: 'decimal', size: '6', value: this.at, placeholder: '1e-8',
      change: () => { this.at = level.value; this.changed(); } });
    const controls = element('div', { class: 'tools' }, choice('x', axes, this.x, change('x')), choice('y', axes, this.y, change('y')),
      choice('layout', kinds, this.multiples, change('multiples')), check('best of each family', this.best, change('best')),
      element('label', { class: 'choice' }, 'cheapest at accuracy ', level));
    const switches = element('div', { class: 'switches' });
    for (const [name, of] of this.splitters()) {
      const group = element('fieldset', {}, element('legend', {}, name));
      for (const value of unique(this.runs.map(of)))
        group.append(check(value || '–', !this.off.has(`${name}=${value}`), on => {
          this.off[on ? 'delete' : 'add'](`${name}=${value}`);
          this.changed();
        }));
      switches.append(group);
    }
    return element('div', {}, controls, switches);
  }

  splitters() { return factors.filter(([, of]) => unique(this.runs.map(of)).length > 1); }

  keep() { keepView(this.id, { x: this.x, y: this.y, multiples: this.multiples, at: this.at, best: this.best ? '1' : '', off: [...this.off].join('|') }); }
  changed() {
    this.keep();
    this.draw();
  }

  curves() {
    const curves = new Map();
    for (const run of this.runs) {
      const numbers = numbersOf(run), x = numbers[this.x], y = numbers[this.y];
      if (x === undefined || y === undefined || factors.some(([name, of]) => this.off.has(`${name}=${of(run)}`))) continue;
      if (!curves.has(run.curve)) curves.set(run.curve, { label: run.curve, family: nameOf(run.spec.method), run, points: [] });
      curves.get(run.curve).points.push([x, y, run.key]);
    }
    const order = isError(this.x) ? 1 : 0;
    return [...curves.values()].map(curve => {
      curve.points.sort((a, b) => a[order] - b[order]);
      return { ...curve, x: curve.points.map(p => p[0]), y: curve.points.map(p => p[1]), keys: curve.points.map(p => p[2]), style: 'line-points' };
    });
  }

  draw() {
    const all = this.curves(), shown = this.best ? bestOfFamilies(all) : all;
    const of = factors.find(([name]) => name === this.multiples)?.[1];
    const groups = of ? unique(shown.map(curve => of(curve.run))) : [''];
    // Logarithmic where the values are positive and spread.
    const isLog = path => {
      const values = shown.flatMap(curve => path === this.x ? curve.x : curve.y).filter(v => v !== 0);
      return values.every(v => v > 0) && (path === 'h' || path === 'rtol' || isError(path) || Math.max(...values.slice(0, 1e5)) > 20 * Math.min(...values.slice(0, 1e5)));
    };
    const panels = groups.map(group => ({ x_label: wordsOf(this.x), y_label: (group ? `${group}: ` : '') + wordsOf(this.y), log_x: isLog(this.x), log_y: isLog(this.y),
      series: shown.filter(curve => !of || of(curve.run) === group) }));
    panels.looks = this.looks;
    tellUnseen(this.unseen, panels);
    const done = shown.length ? drawPanels(this.plot, panels) : Plotly.purge(this.plot);
    this.plot.classList.toggle('empty', !shown.length);
    if (!shown.length) this.plot.textContent = 'Nothing to draw: all curves are switched off, or no run has both numbers.';
    if (!this.plot.dataset.pressed && shown.length) {
      this.plot.dataset.pressed = '1';
      this.plot.on('plotly_click', event => { const key = event.points[0]?.text; if (key) location.hash = `#run-${key}`; });
    }
    this.rank(all);
    return done;
  }

  rank(curves) {
    const gain = isGain(this.y), level = Number(this.at || (gain ? 8 : 1e-8));
    const ranked = level > 0 ? rankedAt(curves, level, gain) : [];
    this.ranks.replaceChildren();
    if (!ranked.length) {
      this.ranks.append(element('p', { class: 'note' }, level > 0 ? `No curve comes to ${wordsOf(this.y)} = ${formatted(level)}.` : 'The level must be a number above 0.'));
      return;
    }
    const list = element('ol');
    ranked.slice(0, 10).forEach(([x, label]) => list.append(element('li', {}, `${label}: ${formatted(x, 3)}`)));
    this.ranks.append(element('p', { class: 'note' }, `Cheapest at ${wordsOf(this.y)} = ${formatted(level)}: the least ${wordsOf(this.x)}, interpolated between runs:`), list);
  }
}

const explorers = new Map();
const openExplorer = details => {
  const set = data.sets[details.dataset.set];
  if (!set || explorers.has(details)) return;
  const place = details.querySelector('.explorer');
  if (axesOf(labelRuns(set).filter(run => run.status === 'ok' && !run.is_reference)).length < 2) {
    place.append(element('p', {}, 'These runs have no numbers that differ.'));
    return;
  }
  explorers.set(details, new Explorer(place, set, details.id));
};
