// What can be chosen of the runs of a set: numbers for the axes, and what tells their curves apart.

const runsOf = set => {
  if (set.completeRuns) return set.completeRuns;
  const { common = {}, list = [] } = set.runs ?? {};
  set.completeRuns = list.map(own => ({ ...common, ...own, spec: { ...common.spec, ...own.spec } }));
  return set.completeRuns;
};

// Every number of a record, by its path: "error/q", "stats/steps"; steps and tolerances from the specification. Numbers of
// 50 digits are texts.
const skipped = new Set(['spec', 'named', 'is_reference', 'problem', 'method', 'multiplier_solver', 'key', 'command', 'trajectory_checksum', 'checksum', 'history', 'samples', 'state', 'q', 'v', 'a', 'y', 'lambda', 'reaction', 'warnings', 'events']);
const numbersOf = run => {
  if (run.numbers) return run.numbers;
  const numbers = {};
  const add = (path, value) => {
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      for (const [key, part] of Object.entries(value)) add(path ? `${path}/${key}` : key, part);
      return;
    }
    const number = typeof value === 'number' ? value : typeof value === 'string' && /^[-+.\d]/.test(value) ? Number(value) : NaN;
    if (isFinite(number)) numbers[path] = number;
  };
  for (const [key, value] of Object.entries(run)) if (!skipped.has(key)) add(key, value);
  for (const key of ['h', 'rtol', 'atol']) {
    const number = toNumber(run.spec?.[key] ?? null);
    if (isFinite(number)) numbers[key] = number;
  }
  for (const part of ['method', 'problem']) // r of a block scheme, a stiffness
    for (const [option, value] of Object.entries(run.spec?.[part] ?? {})) if (isFinite(toNumber(value))) numbers[`${part}/${option}`] = toNumber(value);
  run.numbers = numbers;
  return numbers;
};

// Words for paths; a path without words is shown as it is.
const words = {
  h: 'step size h [s]', rtol: 'relative tolerance', atol: 'absolute tolerance', t: 'time reached [s]',
  'error/q': 'error of q', 'error/v': 'error of v', 'error/a': 'error of a', 'error/lambda': 'error of λ', 'error/y': 'error of y',
  'errors/q': 'error of q, as evaluated', 'errors/v': 'error of v, as evaluated', 'errors/a': 'error of a, as evaluated',
  'errors/lambda': 'error of λ, as evaluated', 'errors/y': 'error of y, as evaluated', mescd: 'correct digits (mescd)', scd: 'correct digits (scd)',
  'error/digits_trusted': 'digits of the reference', 'max/energy_error': 'energy error, maximum', 'max/q_error': 'error of q, maximum', 'max/position_constraint': 'violation of positions, maximum',
  'max/velocity_constraint': 'violation of velocities, maximum', 'max/acceleration_constraint': 'violation of accelerations, maximum',
  'stats/steps': 'steps', 'stats/rejected': 'rejected steps', 'stats/newton_iterations': 'Newton iterations', 'stats/residuals': 'evaluations',
  'stats/jacobians': 'Jacobians', 'stats/factorizations': 'factorizations', 'stats/back_solves': 'back substitutions',
  'stats/cpu_seconds': 'processor time [s]', 'stats/wall_seconds': 'time [s]', 'stats/flops': 'operations of one evaluation' };
// By pattern: what reports on methods and statistics hold.
const patterns = [[/^report\/predicted\/([^/]+)\/(\w+)$/, (form, kind) => `order of ${kind === 'lambda' ? 'λ' : kind} on ${form}, in theory`],
  [/^report\/dense_output\/(\w+)$/, kind => `order of the dense output of ${kind}`], [/^report\/spec\/(\w+)$/, option => `${option}, of the method`],
  [/^multipliers\/outcomes\/([\w-]+)$/, outcome => `solves for multipliers: ${outcome}`], [/^multipliers\/(\w+)$/, count => `solves for multipliers: ${count.replace(/_/g, ' ')}`],
  [/^start\/(\w+)_residual$/, kind => `residual of ${kind}s at the start`], [/^report\/([\w/]+)$/, name => name.replace(/\/(order|value)$/, '').replace(/[_/]/g, ' ')],
  [/^(method|problem)\/(\w+)$/, (part, option) => `${option}, of the ${part}`]];
const wordsOf = path => {
  if (words[path]) return words[path];
  for (const [pattern, say] of patterns) {
    const found = path.match(pattern);
    if (found) return say(...found.slice(1));
  }
  return path.replace(/^stats\//, '').replace(/[_/]/g, ' ');
};

// Numbers that some runs of a set have and that differ between them.
const axesOf = runs => {
  const first = new Map(), differing = new Set();
  for (const run of runs)
    for (const [path, value] of Object.entries(numbersOf(run))) {
      if (!first.has(path)) first.set(path, value);
      else if (first.get(path) !== value) differing.add(path);
    }
  const order = Object.keys(words);
  const place = path => order.includes(path) ? order.indexOf(path) : order.length;
  return [...first.keys()].filter(path => differing.has(path)).sort((a, b) => place(a) - place(b));
};
const isError = path => /^(errors?|max)\//.test(path);
const isGain = path => /^(me)?scd|digits/.test(path); // more of it is better

// What a curve is followed along: the rest of a specification names it.
const along = new Set(['h', 'rtol', 'atol', 'atol_velocity', 'trajectory', 'history', 'samples', 'sample_every', 'step_pattern']);
const nameOf = spec => spec && typeof spec === 'object' ? spec.name ?? '' : String(spec ?? '').split(':')[0];
const factorOf = (run, name) => run.factors?.find(factor => factor.name === name)?.value;
// Methods as the evaluation of the set has them, "bdf, k = 2", unless runs have labels of their own.
const factors = [['label', run => factorOf(run, 'label') ?? ''], ['family', run => factorOf(run, 'label') ? '' : factorOf(run, 'method') ?? nameOf(run.spec.method)],
  ['form', run => nameOf(run.spec.formulation)], ['scalar', run => String(run.spec.scalar ?? '')], ['problem', run => nameOf(run.spec.problem)]];

// A part of a specification with its options: some records hold "projected:bound=0" as text.
const partOf = value => {
  const found = typeof value === 'string' ? value.match(/^([\w-]+):(\w+=.*)$/) : null;
  if (!found) return value;
  const options = found[2].split(/,(?=\w+=)/).map(option => [option.slice(0, option.indexOf('=')), option.slice(option.indexOf('=') + 1)]);
  return { name: found[1], ...Object.fromEntries(options) };
};

// Names of curves: of each specification what differs among the runs.
const varyingParts = runs => {
  const parts = new Map();
  for (const run of runs)
    for (const [key, value] of Object.entries(run.spec)) {
      if (along.has(key)) continue;
      if (!parts.has(key)) parts.set(key, new Set());
      parts.get(key).add(JSON.stringify(value));
    }
  const order = ['problem', 'method', 'formulation', 'multiplier_solver'];
  const place = key => order.includes(key) ? order.indexOf(key) : order.length;
  return [...parts].filter(([, values]) => values.size > 1).map(([key]) => key).sort((a, b) => place(a) - place(b));
};
const varyingOptions = (runs, key) => {
  const options = new Map();
  for (const { spec } of runs) {
    const part = partOf(spec[key]);
    if (part && typeof part === 'object')
      for (const [option, value] of Object.entries(part)) options.set(option, (options.get(option) ?? new Set()).add(JSON.stringify(value)));
  }
  return new Set([...options].filter(([, values]) => values.size > 1).map(([option]) => option));
};
// The parts of a name that not all curves have.
const namesOfCurves = runs => {
  const named = runs.filter(run => run.named?.label && !run.is_reference);
  const has = (run, factor) => run.named.factors.some(({ name, value }) => name === factor.name && value === factor.value);
  const common = named.length ? named[0].named.factors.filter(factor => named.every(run => has(run, factor))) : [];
  const isWhole = named.some(run => run.named.factors.length <= common.length);
  const rest = run => isWhole ? run.named.factors : run.named.factors.filter(factor => !common.some(({ name, value }) => name === factor.name && value === factor.value));
  return new Map(named.map(run => [run, { factors: rest(run), text: rest(run).map(({ value }) => value).join(', ') || run.named.label }]));
};
const labelRuns = set => {
  const runs = runsOf(set);
  if (set.isLabelled) return runs;
  set.isLabelled = true;
  const names = namesOfCurves(runs);
  const parts = varyingParts(runs);
  const options = Object.fromEntries(parts.map(part => [part, varyingOptions(runs, part)]));
  for (const run of runs) {
    const texts = parts.map(part => {
      const value = partOf(run.spec[part]);
      if (value === null || value === undefined) return '';
      if (typeof value !== 'object' || !value.name) return typeof value === 'object' ? specText(value) : valueText(value);
      return specText(Object.fromEntries(Object.entries(value).filter(([option]) => option === 'name' || options[part].has(option))));
    }).filter(text => text);
    const name = names.get(run);
    if (name) run.factors = name.factors;
    run.curve = run.is_reference ? 'reference run' : name?.text ?? (texts.join(', ') || [specText(run.spec.method), specText(run.spec.formulation)].filter(text => text).join(', ') || 'run');
    run.step = ['h', 'rtol'].filter(key => run.spec[key]).map(key => `${key} = ${run.spec[key]}`).join(', ');
    run.label = [run.curve, run.step].filter(text => text).join(', ');
  }
  // In the order of the figures, which is that of the config.
  const place = new Map(unique((set.figures ?? []).flatMap(({ panels }) => panels.flatMap(({ series }) => series.map(({ label }) => label)))).map((label, i) => [label, i]));
  for (const run of runs) if (!place.has(run.curve)) place.set(run.curve, place.size);
  const step = new Map(runs.map(run => [run, toNumber(run.spec.h ?? run.spec.rtol)]));
  runs.sort((a, b) => place.get(a.curve) - place.get(b.curve) || step.get(b) - step.get(a));
  return runs;
};

// The value of y, in logarithms, at x on a curve of ascending x; none outside.
const between = (points, x) => {
  for (let i = 1; i < points.length; ++i) {
    const [x0, y0] = points[i - 1], [x1, y1] = points[i];
    if (x >= x0 && x <= x1) return x1 === x0 ? y0 : y0 + (y1 - y0) * (x - x0) / (x1 - x0);
  }
  return undefined;
};
const logarithms = (xs, ys) => xs.map((x, i) => [Math.log10(x), Math.log10(ys[i])]).filter(point => point.every(isFinite)).sort((a, b) => a[0] - b[0]);

// Of each family the curve that is lowest on average where its members overlap; a curve that overlaps with no other stays.
const bestOfFamilies = curves => {
  const families = unique(curves.map(curve => curve.family));
  return families.map(family => {
    const members = curves.filter(curve => curve.family === family).map(curve => ({ curve, points: logarithms(curve.x, curve.y) }))
      .filter(member => member.points.length);
    if (!members.length) return undefined;
    const from = Math.max(...members.map(member => member.points[0][0])), to = Math.min(...members.map(member => member.points.at(-1)[0]));
    const at = from <= to ? Array.from({ length: 21 }, (_, i) => from + (to - from) * i / 20) : undefined;
    const mean = member => {
      const values = at ? at.map(x => between(member.points, x)).filter(y => y !== undefined) : member.points.map(point => point[1]);
      return values.length ? values.reduce((a, b) => a + b, 0) / values.length : Infinity;
    };
    return members.map(member => [mean(member), member.curve]).sort((a, b) => a[0] - b[0])[0][1];
  }).filter(curve => curve);
};

// The least x at which each curve comes to the level of y, curves in this order: "the fastest at 8 digits". `gain`: more is better.
const rankedAt = (curves, level, gain) => curves.map(curve => {
  const points = gain ? curve.x.map((x, i) => [Math.log10(x), -curve.y[i]]).filter(point => point.every(isFinite)).sort((a, b) => a[0] - b[0]) : logarithms(curve.x, curve.y);
  const target = gain ? -level : Math.log10(level);
  let least = Infinity;
  points.forEach(([x, y], i) => {
    if (y <= target) least = Math.min(least, x);
    if (!i) return;
    const [x0, y0] = points[i - 1];
    if ((y0 - target) * (y - target) < 0) least = Math.min(least, x0 + (x - x0) * (target - y0) / (y - y0));
  });
  return [10 ** least, curve.label];
}).filter(([x]) => isFinite(x) && x > 0).sort((a, b) => a[0] - b[0]);
