// Curves drawn by plotly.js in place of the static drawing, which stays for print.

// The colours of the printed figures (Okabe and Ito), lighter on dark paper where they would not be seen.
const colours = ['#0072B2', '#D55E00', '#000000', '#009E73', '#CC79A7', '#56B4E9', '#E69F00'];
const darkColours = ['#4DA3E0', '#F08A3C', '#E8E8E6', '#2DC79A', '#DD99BD', '#8ACBF0', '#F0B93A'];
const symbols = ['circle', 'square-open', 'triangle-up', 'diamond-open', 'circle-open', 'square', 'triangle-up-open', 'x'];
const dashes = ['solid', 'dash', 'dot', 'dashdot', 'longdash'];
const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;
const look = i => ({ colour: (isDark() ? darkColours : colours)[i % colours.length], symbol: symbols[i % symbols.length],
  dash: dashes[i % dashes.length] });

const pointStyles = { points: '', circle: 'circle-open', star: 'star-open' };

// One curve. What cannot stand on a logarithmic axis is left out, as in the drawing.
const trace = (series, number, panel, names) => {
  const { colour, symbol, dash } = look(number);
  const isReference = series.style === 'reference';
  const isPoints = series.style in pointStyles;
  const few = series.x.length <= 200;
  const mode = isPoints ? 'markers' : series.style === 'line-points' || (series.style === 'line' && few && series.x.length < 60) ? 'lines+markers' : 'lines';
  return {
    x: panel.log_x ? series.x.map(v => v > 0 ? v : null) : series.x,
    y: panel.log_y ? series.y.map(v => v > 0 ? v : null) : series.y,
    name: names.text(series.label), legendgroup: series.label, showlegend: names.isFirst(series.label), mode, type: 'scatter',
    line: { color: isReference ? styleValue('--soft') : colour, width: isReference || series.style === 'thin' ? 1 : 1.8,
      dash: isReference ? 'dash' : series.style === 'thin' || mode !== 'lines' ? 'solid' : dash },
    marker: { color: colour, symbol: pointStyles[series.style] || symbol, size: 7, line: { color: colour, width: 1.5 } },
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

const axis = (label, isLog, range, extra = {}) => ({
  title: { text: wrapped(label, 40), font: { size: 13 } }, type: isLog ? 'log' : 'linear',
  exponentformat: 'power', showexponent: 'all', showline: true, linecolor: styleValue('--soft'), mirror: true, ticks: 'outside',
  gridcolor: styleValue('--hair'), zeroline: false, automargin: true, hoverformat: '.6~g', dtick: undefined,
  range: range ? range.map(v => isLog ? Math.log10(v) : v) : undefined, autorange: !range, ...extra });

const panelHeight = panel => panel.height ?? (panel.equal_axes ? 460 : 380);

// The panels of a figure, stacked.
const layoutOf = (panels, legendEntries) => {
  const gap = 0.11 / Math.max(1, panels.length / 2);
  const share = (1 - gap * (panels.length - 1)) / panels.length;
  const legendHeight = legendEntries > 1 ? 21 * Math.ceil(legendEntries / (isNarrow() ? 1 : 2)) : 0;
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
    layout[`xaxis${id}`] = axis(panel.x_label, panel.log_x, panel.x_range, { anchor: `y${id}` });
    layout[`yaxis${id}`] = axis(panel.y_label, panel.log_y, panel.y_range,
      { anchor: `x${id}`, domain: [Math.max(0, top - share), top], ...(panel.equal_axes && { scaleanchor: `x${id}`, scaleratio: 1 }) });
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
  const traces = panels.flatMap((panel, i) => {
    return panel.series.map(series => ({ ...trace(series, panels.hues?.(series.label) ?? labels.indexOf(series.label), panel, names),
      xaxis: `x${i ? i + 1 : ''}`, yaxis: `y${i ? i + 1 : ''}` }));
  });
  return Plotly.react(place, traces, layoutOf(panels, labels.length), configuration());
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
  const kinds = [['', 'as printed'], ['log', 'logarithmic'], ['linear', 'linear']];
  const change = which => value => {
    apply(which, value);
    keepView(id, settings);
    place.drawPlot();
  };
  const tools = element('div', { class: 'tools' }, choice('x axis', kinds, settings.x, change('x')), choice('y axis', kinds, settings.y, change('y')),
    ...exports(place, stored.id));
  // Its height is that of the plot before it is drawn: links lead to where things stay.
  place.style.minHeight = `${layoutOf(panels, legendLabels(panels).length).height}px`;
  figure.querySelector('figcaption').before(place, tools);
  figure.classList.add('drawn');
  drawLater(place, () => drawPanels(place, panels));
};
