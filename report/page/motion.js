// Mechanisms that move: the outline at the times of a trajectory, several methods side by side, and their errors with the same time.

// Columns are numbers, or lists with one number a frame, in 1/10000 of the size of the picture (report/layout/motion.cpp).
const shapesAt = (motion, frame, fraction) => {
  let column = 0;
  const next = () => {
    const values = motion.columns[column++];
    if (typeof values === 'number') return values;
    const a = values[frame], b = values[Math.min(frame + 1, values.length - 1)];
    return a + (b - a) * fraction;
  };
  return motion.shapes.map(({ kind, points, side }) => ({ kind, side, points: Array.from({ length: points }, () => [next(), next()]), radius: kind === 'circle' ? next() : 0 }));
};

const frameAt = (times, t) => {
  let low = 0, high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  const span = times[high] - times[low];
  return [low, span > 0 ? Math.min(1, Math.max(0, (t - times[low]) / span)) : 0];
};

// Ways along which symbols are drawn.
const along2 = ([x0, y0], [x1, y1]) => {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1, ux = (x1 - x0) / length, uy = (y1 - y0) / length;
  return { length, at: (s, n = 0) => [x0 + ux * s - uy * n, y0 + uy * s + ux * n] };
};
const path = (pen, points) => points.forEach(([x, y], i) => i ? pen.lineTo(x, y) : pen.moveTo(x, y));
const stroke = (pen, points, width) => {
  pen.lineWidth = width;
  pen.beginPath();
  path(pen, points);
  pen.stroke();
};
const disc = (pen, [x, y], radius, fill) => {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = fill;
  pen.fill();
  pen.stroke();
};

// How each kind of shape is drawn: points in pixels, `ink`, `body` and `paper` are colours.
const painters = {
  line: (pen, { points }) => stroke(pen, points, 3),
  polygon: (pen, { points }, ink) => {
    pen.beginPath();
    path(pen, points);
    pen.closePath();
    pen.fillStyle = ink.body;
    pen.fill();
    pen.lineWidth = 2;
    pen.stroke();
  },
  circle: (pen, { points, radius }, ink) => {
    pen.lineWidth = 2;
    disc(pen, points[0], radius, ink.body);
  },
  spring: (pen, { points: [from, to] }) => {
    const way = along2(from, to), turns = 8, lead = way.length * 0.15, body = way.length - 2 * lead;
    const zigzag = Array.from({ length: 2 * turns }, (_, i) => way.at(lead + body * (i + 0.5) / (2 * turns), i % 2 ? -5 : 5));
    stroke(pen, [from, way.at(lead), ...zigzag, way.at(way.length - lead), to], 1.3);
  },
  damper: (pen, { points: [from, to] }) => {
    const way = along2(from, to), a = way.length * 0.4, b = way.length * 0.65;
    stroke(pen, [from, way.at(a)], 1.3);
    stroke(pen, [way.at(b, 6), way.at(a, 6), way.at(a, -6), way.at(b, -6)], 1.3);
    stroke(pen, [way.at((a + b) / 2, 4), way.at((a + b) / 2, -4)], 2);
    stroke(pen, [way.at((a + b) / 2), to], 1.3);
  },
  joint: (pen, { points }, ink) => {
    pen.lineWidth = 1.5;
    disc(pen, points[0], 3.5, ink.paper);
  },
  support: (pen, { points: [[x, y]] }, ink) => {
    stroke(pen, [[x, y], [x - 8, y + 13], [x + 8, y + 13], [x, y]], 1.3);
    for (let i = -8; i <= 6; i += 4) stroke(pen, [[x + i, y + 13], [x + i - 3, y + 18]], 1);
    pen.lineWidth = 1.5;
    disc(pen, [x, y], 3.5, ink.paper);
  },
  guide: (pen, { points: [at, to] }) => {
    const way = along2(at, to);
    for (const n of [-7, 7]) stroke(pen, [way.at(-11, n), way.at(11, n)], 1.3);
    stroke(pen, [way.at(-6, -5), way.at(6, -5), way.at(6, 5), way.at(-6, 5), way.at(-6, -5)], 1.5);
  },
  mass: (pen, { points }, ink) => disc(pen, points[0], 6, ink.line),
  ground: (pen, { points: [from, to] }) => {
    const way = along2(from, to);
    stroke(pen, [from, to], 1.5);
    for (let s = 4; s < way.length; s += 8) stroke(pen, [way.at(s), way.at(s - 5, 6)], 0.8);
  },
  axis: (pen, { points }) => {
    pen.setLineDash([5, 4]);
    stroke(pen, points, 0.8);
    pen.setLineDash([]);
  },
  arrow: (pen, { points: [from, to] }, ink) => {
    const way = along2(from, to);
    stroke(pen, [from, to], 1.3);
    pen.beginPath();
    path(pen, [to, way.at(way.length - 9, 4), way.at(way.length - 9, -4)]);
    pen.fillStyle = ink.line;
    pen.fill();
  } // names, angles and lengths belong to the sketch
};

const paint = (canvas, motion, t) => {
  const ratio = devicePixelRatio || 1, width = canvas.clientWidth, [w, h] = motion.box, height = Math.max(120, Math.min((width - 48) * h / w + 48, 560));
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = `${height}px`;
  }
  const pen = canvas.getContext('2d'), margin = 24;
  const scale = Math.min((width - 2 * margin) / w, (height - 2 * margin) / h);
  const [left, top] = [(width - w * scale) / 2, (height - h * scale) / 2];
  const ink = { line: styleValue('--ink'), body: styleValue('--body'), paper: styleValue('--paper') };
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.strokeStyle = ink.line;
  pen.lineJoin = pen.lineCap = 'round';
  const [frame, fraction] = frameAt(motion.t, t);
  for (const shape of shapesAt(motion, frame, fraction)) {
    const points = shape.points.map(([x, y]) => [left + x * scale, top + (h - y) * scale]);
    painters[shape.kind]?.(pen, { ...shape, points, radius: shape.radius * scale }, ink);
  }
};

// One mechanism by several methods, with one time for all.
class Player {
  constructor(place, motions, label) {
    this.motions = motions.map(motion => ({ ...motion, label: label(motion.run) }));
    motions = this.motions;
    this.end = Math.max(...motions.map(motion => motion.t.at(-1)));
    this.start = Math.min(...motions.map(motion => motion.t[0]));
    this.speed = 1;
    this.id = place.id;
    const view = viewOf(this.id);
    this.shown = new Set(view.has('show') ? view.get('show').split('|').map(Number) : motions.map((_, i) => i).slice(0, 4));
    this.time = Math.min(this.end, Math.max(this.start, Number(view.get('t') ?? this.start) || 0));
    this.stage = element('div', { class: 'stage' });
    this.canvases = motions.map(motion => element('canvas', { role: 'img', 'aria-label': `${motion.problem} by ${motion.label}, moving` }));
    this.frames = motions.map((motion, i) => element('figure', { class: 'moving' }, this.canvases[i], element('figcaption', {}, this.sign(i), motion.label)));
    this.stage.append(...this.frames);
    this.plot = element('div', { class: 'plot', role: 'group', 'aria-label': 'Plot: errors over time' });
    this.marks = element('div', { class: 'marks', 'aria-hidden': 'true' });
    const order = ['q_error', 'energy_error'];
    this.quantities = unique(motions.flatMap(motion => Object.keys(motion.values))).sort((a, b) => order.includes(b) - order.includes(a) || order.indexOf(a) - order.indexOf(b));
    const curves = element('div', {}, element('div', { class: 'timeplot' }, this.plot, this.marks), element('div', { class: 'tools' }, ...exports(this.plot, 'motion')));
    place.append(this.controls(), element('div', { class: 'scene' }, this.stage, this.quantities.length ? curves : null));
    this.select();
    if (this.quantities.length) drawLater(this.plot, () => this.drawCurves());
    drawn.add(this.stage);
    this.stage.drawPlot = () => this.paint();
    new ResizeObserver(() => this.paint()).observe(this.stage);
  }

  // In the colour of its curves.
  sign(i) {
    const sign = element('span', { class: 'curve', 'aria-hidden': 'true' });
    const { dash, colour } = look([i, i]);
    sign.style.borderTop = `3px ${{ solid: 'solid', dot: 'dotted' }[dash] ?? 'dashed'} ${colour}`;
    return sign;
  }

  controls() {
    this.slider = element('input', { type: 'range', min: this.start, max: this.end, step: 'any', value: this.time, 'aria-label': 'time',
      input: () => this.go(Number(this.slider.value)), change: () => this.keep() });
    this.clock = element('output', { class: 'clock' });
    this.playing = button('Play', () => this.toggle(), { class: 'play' });
    const speeds = [['0.001', '1/1000'], ['0.01', '1/100'], ['0.1', '1/10'], ['0.25', '1/4'], ['1', 'real time'], ['4', '4 times'], ['20', '20 times'], ['100', '100 times']];
    // Real time where that is some seconds to a minute; otherwise what is nearest to eight seconds.
    const span = this.end - this.start, distance = speed => Math.abs(Math.log(span / speed / 8));
    const usual = span >= 2 && span <= 60 ? '1' : speeds.map(([speed]) => speed).sort((a, b) => distance(a) - distance(b))[0];
    this.speed = Number(usual);
    const tools = element('div', { class: 'tools player' }, this.playing, this.slider, this.clock, choice('speed', speeds, usual, value => { this.speed = Number(value); }));
    const switches = element('div', { class: 'switches' });
    if (this.motions.length > 1) {
      const group = element('fieldset', {}, element('legend', {}, 'side by side'));
      this.motions.forEach((motion, i) => group.append(check(motion.label, this.shown.has(i), on => {
        this.shown[on ? 'add' : 'delete'](i);
        this.select();
        this.keep();
        if (this.plot.data) this.drawCurves();
      })));
      switches.append(group);
    }
    return element('div', {}, tools, switches);
  }

  keep() { keepView(this.id, { t: this.time.toPrecision(5), show: [...this.shown].sort().join('|') }); }
  select() {
    this.frames.forEach((frame, i) => { frame.hidden = !this.shown.has(i); });
    this.stage.classList.toggle('few', this.shown.size < 3);
    this.paint();
  }

  go(time) {
    this.time = time;
    this.slider.value = time;
    this.paint();
  }

  paint() {
    this.clock.textContent = `t = ${this.time.toFixed(this.end > 10 ? 2 : 4)} s`;
    for (const i of this.shown) if (this.canvases[i].clientWidth) paint(this.canvases[i], this.motions[i], this.time);
    this.mark();
  }

  toggle() {
    this.isPlaying = !this.isPlaying;
    this.playing.textContent = this.isPlaying ? 'Pause' : 'Play';
    if (!this.isPlaying) return this.keep();
    if (this.time >= this.end) this.time = this.start;
    let last = performance.now();
    const tick = now => {
      if (!this.isPlaying) return;
      this.go(Math.min(this.end, this.time + (now - last) / 1000 * this.speed));
      last = now;
      if (this.time >= this.end) this.toggle();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    return undefined;
  }

  async drawCurves() {
    // One under the other, with one time.
    const panels = this.quantities.map((name, i) => ({ x_label: i + 1 < this.quantities.length ? '' : 'time [s]', y_label: wordsOf(`max/${name}`).replace(', maximum', ''), log_x: false, log_y: true, height: 190,
      series: this.motions.map((motion, i) => ({ label: motion.label, style: 'line', x: motion.curveTimes ?? motion.t, y: (motion.values[name] ?? []).map(v => v === null ? null : Math.abs(v)) }))
        .filter((_, i) => this.shown.has(i)) }));
    panels.looks = new Map(this.motions.map((motion, i) => [motion.label, [i, i]]));
    await drawPanels(this.plot, panels);
    if (!this.isWired) {
      this.isWired = true;
      this.plot.on('plotly_click', event => this.go(event.points[0].x));
      this.plot.on('plotly_afterplot', () => this.mark());
    }
    this.mark();
  }

  // A line at the time in every panel.
  mark() {
    const layout = this.plot._fullLayout;
    if (!layout?.xaxis) return;
    this.marks.replaceChildren(...this.quantities.map((_, i) => {
      const x = layout[`xaxis${i ? i + 1 : ''}`], y = layout[`yaxis${i ? i + 1 : ''}`], at = x.l2p(this.time);
      const line = element('div');
      line.hidden = at < 0 || at > x._length;
      line.style.cssText = `left:${x._offset + at}px;top:${y._offset}px;height:${y._length}px`;
      return line;
    }));
  }
}

const showMotions = place => {
  const set = data.sets[place.dataset.set];
  if (!set?.motions?.length) return;
  const begin = () => {
    const problems = unique(set.motions.map(motion => motion.problem));
    const labels = new Map(labelRuns(set).map(run => [run.key, run.label]));
    problems.forEach((problem, i) => {
      const part = element('div', { id: i ? `${place.id}-${i + 1}` : `${place.id}-player` }, problems.length > 1 ? element('h3', {}, problem) : null);
      place.append(part);
      place.player = new Player(part, set.motions.filter(motion => motion.problem === problem), key => labels.get(key) ?? key);
    });
  };
  const details = place.closest('details:not([open])');
  if (details) details.addEventListener('toggle', begin, { once: true });
  else begin();
};
