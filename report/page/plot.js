// Curves drawn by plotly.js in place of the static drawing, which stays for print.

// The colours of the printed figures (Okabe and Ito), lighter on dark paper where they would not be seen.
const colours = ['#0072B2', '#D55E00', '#000000', '#009E73', '#CC79A7', '#56B4E9', '#E69F00'];
const darkColours = ['#4DA3E0', '#F08A3C', '#E8E8E6', '#2DC79A', '#DD99BD', '#8ACBF0', '#F0B93A'];
const symbols = ['circle', 'square-open', 'triangle-up', 'diamond-open', 'circle-open', 'square', 'triangle-up-open', 'x'];
const dashes = ['solid', 'dash', 'dot', 'dashdot', 'longdash'];
const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;
// More curves than that have hues in between: none has the colour of another.
const colourOf = i => i < colours.length ? (isDark() ? darkColours : colours)[i] : `hsl(${Math.round((40 + (i - colours.length) * 137.508) % 360)}, 65%, ${isDark() ? 68 : 33}%)`;
// Of the places of a colour and of a marker.
const look = ([colour, marker]) => ({ colour: colourOf(colour), symbol: symbols[marker % symbols.length], dash: dashes[marker % dashes.length] });

// By their labels, as the drawings of a set have them; labels that none of them has follow.
const looksOf = (set, labels) => {
  const looks = new Map();
  for (const { panels } of set.figures ?? [])
    for (const { series } of panels) for (const curve of series) if (curve.look && labels.includes(curve.label) && !looks.has(curve.label)) looks.set(curve.label, curve.look);
  const taken = new Set([...looks.values()].map(([colour]) => colour));
  let next = 0;
  for (const label of labels) {
    if (looks.has(label)) continue;
    while (taken.has(next)) ++next;
    looks.set(label, [next, next]);
    taken.add(next);
  }
  return looks;
};

// What a logarithmic axis cannot show, by name and axis.
const unseenOf = panels => panels.flatMap(panel => panel.series.filter(series => series.style !== 'reference').flatMap(series =>
  [['log_x', series.x, panel.x_label], ['log_y', series.y, panel.y_label]].filter(([log, values]) => panel[log] && values.length && values.every(v => !(v > 0)))
    .map(([, , axisLabel]) => `${series.label} (${axisLabel} is 0)`)));
const tellUnseen = (place, panels) => {
  const unseen = unique(unseenOf(panels));
  place.hidden = !unseen.length;
  place.textContent = unseen.length ? `Not shown: ${unseen.join('; ')}; a logarithmic axis has no zero.` : '';
};

const pointStyles = { points: '', circle: 'circle-open', star: 'star-open' };

// The fitted order of a curve, as at the curves of the drawing; of one panel, for the legend is that of all of them.
const withSlope = ({ label, fit }) => fit ? `${label} (slope ${fit.slope.toFixed(2).replace('-', '−')} ± ${fit.half_width.toFixed(2)})` : label;

// Points that a fitted order left out are hollow, as in the drawing.
const symbolsOf = ({ style, fit, x }, symbol) => {
  if (pointStyles[style]) return pointStyles[style];
  if (!fit?.points) return symbol;
  const filled = symbol.replace('-open', '');
  return x.map((_, i) => fit.points.includes(i) ? filled : `${filled}-open`);
};

// One curve. What cannot stand on a logarithmic axis is left out, as in the drawing.
const trace = (series, places, panel, names) => {
  const { colour, symbol, dash } = look(places);
  const isReference = series.style === 'reference';
  const isPoints = series.style in pointStyles;
  const few = series.x.length <= 200;
  const mode = isPoints ? 'markers' : series.style === 'line-points' || (series.style === 'line' && few && series.x.length < 60) ? 'lines+markers' : 'lines';
  return {
    x: panel.log_x ? series.x.map(v => v > 0 ? v : null) : series.x,
    y: panel.log_y ? series.y.map(v => v > 0 ? v : null) : series.y,
    name: names.text(panel.isAlone ? withSlope(series) : series.label), legendgroup: series.label, showlegend: names.isFirst(series.label), mode, type: 'scatter',
    line: { color: isReference ? styleValue('--soft') : colour, width: isReference || series.style === 'thin' ? 1 : 1.8,
      dash: isReference ? 'dash' : series.style === 'thin' || mode !== 'lines' ? 'solid' : dash },
    marker: { color: colour, symbol: symbolsOf(series, symbol), size: 7, line: { color: colour, width: 1.5 } },
    fill: series.style === 'filled' ? 'toself' : 'none', fillcolor: series.style === 'filled' ? `${colour}33` : undefined,
    text: series.keys, hovertemplate: '%{fullData.name}<br>%{xaxis.title.text}: %{x}<br>%{yaxis.title.text}: %{y}<extra></extra>',
  };
};

// plotly reads a few tags in texts; names of results are texts.
const plainText = text => String(text).replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\$/g, '&#36;');
const wrapped = (text, width) => plainText(text).split(' ').reduce((lines, word) => {
  const last = lines[lines.length - 1];
  if (last.length && last.length + word.length > width) lines.push(word);
  else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  return lines;
}, ['']).join('<br>');

// Ticks of a logarithmic axis from 10^lo to 10^hi, all of one size, as plotly's own are not: powers of ten; between few of
// them also 2 and 5, or round numbers.
const logTicks = (lo, hi) => {
  const from = Math.floor(lo), to = Math.ceil(hi), decades = hi - lo;
  const step = Math.max(1, Math.ceil(decades / 8));
  let values = [];
  if (decades > 1.7) for (let k = Math.ceil(from / step) * step; k <= to; k += step) values.push([k, `10${superscript(k)}`]);
  else if (decades > 0.5) for (let k = from; k <= to; ++k) for (const digit of [1, 2, 5]) values.push([Math.log10(digit) + k, formatted(digit * 10 ** k, 2)]);
  else {
    const width = 10 ** hi - 10 ** lo, rough = width / 5, unit = 10 ** Math.floor(Math.log10(rough)), even = [1, 2, 5, 10].find(n => n * unit >= rough) * unit;
    for (let n = Math.ceil(10 ** lo / even); n * even <= 10 ** hi; ++n) values.push([Math.log10(n * even), formatted(n * even, 3)]);
  }
  values = values.filter(([at]) => at >= lo - 0.05 * decades - 1e-9 && at <= hi + 0.05 * decades + 1e-9);
  return { tickmode: 'array', tickvals: values.map(([at]) => 10 ** at), ticktext: values.map(([, text]) => text) };
};
// Of the values of an axis of a panel, or of the range that it is given.
const ticksOf = (panel, which) => {
  const values = panel[`${which}_range`] ?? panel.series.flatMap(series => [...series[which]]);
  const logs = values.filter(v => v > 0).map(Math.log10).filter(isFinite);
  if (!panel[`log_${which}`] || !logs.length) return {};
  const lo = logs.reduce((a, b) => Math.min(a, b)), hi = logs.reduce((a, b) => Math.max(a, b)), margin = Math.max(0.07 * (hi - lo), 0.01);
  return panel[`${which}_range`] ? logTicks(lo, hi) : logTicks(lo - margin, hi + margin);
};
// Where a reader has zoomed, ticks are those of what is shown.
const followZoom = place => {
  if (place.dataset.follows) return;
  place.dataset.follows = '1';
  place.on('plotly_relayout', event => {
    const update = {};
    for (const key of unique(Object.keys(event).map(name => name.split('.')[0]))) {
      const of = place._fullLayout?.[key];
      if (!/^[xy]axis/.test(key) || of?.type !== 'log' || !Object.keys(event).some(name => name.startsWith(`${key}.range`) || name === `${key}.autorange`)) continue;
      for (const [name, value] of Object.entries(logTicks(...of.range))) update[`${key}.${name}`] = value;
    }
    if (Object.keys(update).length) Plotly.relayout(place, update);
  });
};

const axis = (label, isLog, range, ticks, extra = {}) => ({
  title: { text: wrapped(label, extra.titleWidth ?? 40), font: { size: 13 } }, type: isLog ? 'log' : 'linear',
  exponentformat: 'power', showexponent: 'all', tickfont: { size: 12 }, ...ticks, showline: true, linecolor: styleValue('--soft'), mirror: true, ticks: 'outside',
  gridcolor: styleValue('--hair'), zeroline: false, automargin: true, hoverformat: '.6~g', dtick: undefined,
  range: range ? range.map(v => isLog ? Math.log10(v) : v) : undefined, autorange: !range, ...extra.more });

const panelHeight = panel => panel.height ?? (panel.equal_axes ? 460 : 380);

// The panels of a figure, stacked.
const layoutOf = (panels, legendEntries) => {
  const gap = 0.11 / Math.max(1, panels.length / 2);
  const share = (1 - gap * (panels.length - 1)) / panels.length;
  const isLong = panels.length === 1 && panels[0].series.some(series => series.fit); // with slopes
  const legendHeight = legendEntries > 1 ? 21 * Math.ceil(legendEntries / (isNarrow() || isLong ? 1 : 2)) : 0;
  const height = panels.reduce((sum, panel) => sum + panelHeight(panel), 0) * (panels.length > 1 ? 0.85 : 1);
  const layout = {
    height: height + legendHeight,
    margin: { l: 60, r: 15, t: isNarrow() ? 10 : 32, b: 50 + legendHeight }, paper_bgcolor: 'rgba(0,0,0,0)', plot_bgcolor: 'rgba(0,0,0,0)',
    font: { family: 'system-ui, sans-serif', size: 12, color: styleValue('--ink') }, hovermode: 'closest', dragmode: 'zoom',
    modebar: { bgcolor: 'rgba(0,0,0,0)', color: styleValue('--soft'), activecolor: styleValue('--ink') },
    hoverlabel: { bgcolor: styleValue('--paper'), font: { color: styleValue('--ink') } },
    showlegend: legendEntries > 1, legend: { orientation: 'h', yref: 'container', y: 0, yanchor: 'bottom', x: 0, font: { size: 12 } },
  };
  panels.forEach((panel, i) => {
    const id = i ? String(i + 1) : '';
    const top = 1 - i * (share + gap);
    layout[`xaxis${id}`] = axis(panel.x_label, panel.log_x, panel.x_range, ticksOf(panel, 'x'), { more: { anchor: `y${id}` } });
    // A title is not longer than its axis.
    const titleWidth = Math.min(40, Math.floor(share * height / 7.5));
    layout[`yaxis${id}`] = axis(panel.y_label, panel.log_y, panel.y_range, ticksOf(panel, 'y'), { titleWidth,
      more: { anchor: `x${id}`, domain: [Math.max(0, top - share), top], ...(panel.equal_axes && { scaleanchor: `x${id}`, scaleratio: 1 }) } });
  });
  return layout;
};

const configuration = () => ({ displaylogo: false, responsive: true, displayModeBar: !isNarrow(), scrollZoom: false,
  modeBarButtonsToRemove: ['select2d', 'lasso2d', 'toImage', 'autoScale2d'], showTips: false });

const legendNames = () => {
  const seen = new Set();
  return { text: label => wrapped(label, 60), isFirst: label => !seen.has(label) && Boolean(seen.add(label)) };
};

const legendLabels = panels => unique(panels.flatMap(panel => panel.series.map(series => series.label)));

// Draws panels, [{x_label, y_label, log_x, log_y, series: [{label, x, y, style}]}], into `place`.
const drawPanels = (place, panels) => {
  const labels = legendLabels(panels), names = legendNames();
  const traces = panels.flatMap((one, i) => {
    const panel = { ...one, isAlone: panels.length === 1 };
    return panel.series.map(series => ({ ...trace(series, panels.looks?.get(series.label) ?? series.look ?? Array(2).fill(labels.indexOf(series.label)), panel, names),
      xaxis: `x${i ? i + 1 : ''}`, yaxis: `y${i ? i + 1 : ''}` }));
  });
  const done = Plotly.react(place, traces, layoutOf(panels, labels.length), configuration());
  followZoom(place);
  return done;
};

// Buttons of a plot: what leaves the page as a file.
const exports = (place, name) => {
  const picture = async format => {
    const { width, height } = place.getBoundingClientRect();
    // On white paper, whatever the page is drawn on.
    const layout = { ...place.layout, paper_bgcolor: '#fff', plot_bgcolor: '#fff', font: { ...place.layout.font, color: '#1a1a1a' } };
    await Plotly.downloadImage({ data: place.data, layout }, { format, width: Math.round(width), height: Math.round(height), scale: format === 'png' ? 3 : 1, filename: name });
  };
  const values = () => ['curve,x,y', ...place.data.flatMap(curve => [...curve.x].map((x, i) => [csvCell(curve.legendgroup ?? curve.name ?? ''), x ?? '', curve.y[i] ?? ''].join(',')))].join('\n') + '\n';
  return [button('SVG', () => picture('svg')), button('PNG', () => picture('png')), button('CSV', () => save(`${name}.csv`, 'text/csv', values()))];
};

// Plots are drawn when they come near the window: a page of a hundred opens at once. `draw` is called again for another scheme.
const drawn = new Set();
const watcher = new IntersectionObserver(entries => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    watcher.unobserve(entry.target);
    drawn.add(entry.target);
    entry.target.drawPlot();
  }
}, { rootMargin: '400px' });
const drawLater = (place, draw) => {
  place.drawPlot = draw;
  watcher.observe(place);
};
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => drawn.forEach(place => place.drawPlot()));

// The figure of a drawing: its curves by plotly, with axes that are logarithmic or not as the reader likes.
const animateFigure = figure => {
  const stored = data.sets[figure.dataset.set]?.figures[figure.dataset.figure];
  if (!stored || !stored.panels.length) return;
  const id = figure.id;
  const view = viewOf(id);
  const panels = stored.panels.map(panel => ({ ...panel }));
  const settings = { x: view.get('x') ?? '', y: view.get('y') ?? '' };
  const place = element('div', { class: 'plot', role: 'group', 'aria-label': `Plot: ${stored.caption}` });
  const apply = (which, value) => {
    settings[which] = value;
    panels.forEach((panel, i) => {
      const original = stored.panels[i][`log_${which}`];
      panel[`log_${which}`] = value === '' ? original : value === 'log';
      if (value !== '' && panel[`log_${which}`] !== original) panel[`${which}_range`] = undefined;
      else panel[`${which}_range`] = stored.panels[i][`${which}_range`];
    });
  };
  apply('x', settings.x);
  apply('y', settings.y);
  const kinds = [['', data.paper ? 'as printed' : 'default'], ['log', 'logarithmic'], ['linear', 'linear']];
  const change = which => value => {
    apply(which, value);
    keepView(id, settings);
    place.drawPlot();
  };
  const tools = element('div', { class: 'tools' }, choice('x axis', kinds, settings.x, change('x')), choice('y axis', kinds, settings.y, change('y')),
    ...exports(place, stored.id));
  // Its height is that of the plot before it is drawn: links lead to where things stay.
  place.style.minHeight = `${layoutOf(panels, legendLabels(panels).length).height}px`;
  const unseen = element('p', { class: 'note unseen', hidden: true });
  figure.querySelector('figcaption').before(place, unseen, tools);
  figure.classList.add('drawn');
  drawLater(place, () => {
    tellUnseen(unseen, panels);
    return drawPanels(place, panels);
  });
};
