// What all parts use: the page's data, elements, numbers, what leaves the page.

const knownFormat = 2; // of the data block; report/page/page_data.cpp writes it
let data = { format: knownFormat, sets: [], evidence: {} };

// The text of a block that is in the page compressed, in base64 (report/page/packed_text.cpp).
const unpack = async block => {
  const bytes = Uint8Array.from(atob(block.textContent), sign => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).text();
};

// plotly.js runs as a script of the page, which its policy knows by the hash of this text.
const runScript = text => {
  const script = document.createElement('script');
  script.textContent = text;
  document.body.append(script);
};

// Text is set as text everywhere: names in results come from anywhere.
const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') made.addEventListener(name, value);
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter(child => child !== undefined && child !== null));
  return made;
};
const button = (text, press, attributes = {}) => element('button', { type: 'button', click: press, ...attributes }, text);

const choice = (label, options, chosen, changed) => {
  const select = element('select', { change: () => changed(select.value) });
  for (const [value, text] of options) select.append(new Option(text, value, false, value === chosen));
  return element('label', { class: 'choice' }, `${label} `, select);
};

const check = (label, isOn, changed) => {
  const box = element('input', { type: 'checkbox', change: () => changed(box.checked) });
  box.checked = isOn;
  return element('label', { class: 'choice' }, box, ` ${label}`);
};

// A spec as the command line takes it: "pade-block:r=4,nodes=uniform".
const valueText = value => typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);
const specText = spec => {
  if (spec === null || spec === undefined) return '';
  if (typeof spec !== 'object' || Array.isArray(spec)) return valueText(spec);
  const { name = '', ...options } = spec;
  const given = Object.entries(options).map(([key, value]) => `${key}=${valueText(value)}`).join(',');
  return given ? `${name}:${given}` : name;
};

// "1/160", "7.0007E-5", "45 ms", "3.98 ± 0.02", a text of 50 digits; NaN for other texts.
const scales = { s: 1, ms: 1e-3, 'µs': 1e-6, min: 60, h: 3600 };
const toNumber = value => {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return NaN;
  const found = value.trim().replace(/\u2212/g, '-').match(/^([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?:\/(\d+))?(?:\s+(\S+))?/);
  if (!found) return NaN;
  return Number(found[1]) / (found[2] ? Number(found[2]) : 1) * (scales[found[3]] ?? 1);
};

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const superscript = n => (n < 0 ? '⁻' : '') + [...String(Math.abs(n))].map(digit => superscripts[digit]).join('');
const formatted = (x, digits = 4) => {
  if (typeof x !== 'number' || !isFinite(x)) return '–';
  if (x === 0 || (Math.abs(x) >= 1e-3 && Math.abs(x) < 1e6)) return String(Number(x.toPrecision(digits))).replace('-', '−');
  const [mantissa, exponent] = x.toExponential(digits - 1).split('e');
  return `${String(Number(mantissa)).replace('-', '−')}·10${superscript(Number(exponent))}`;
};

// Says what happened to people who do not see it.
const spoken = element('p', { role: 'status', class: 'hidden' });
const say = text => { spoken.textContent = text; };

// Where the clipboard is out of reach, as in some browsers on files of the disk, the text is selected to be copied by hand.
const copy = async (text, what) => {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
    return true;
  } catch {
    const area = element('textarea', { 'aria-label': what });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    say(done ? `${what} copied` : `${what} could not be copied`);
    return done;
  }
};
const copyButton = (label, text, what) => {
  const made = button(label, async () => {
    const done = await copy(text(), what);
    made.textContent = done ? 'copied' : 'not copied';
    setTimeout(() => { made.textContent = label; }, 1500);
  });
  return made;
};

const save = (name, type, text) => {
  const link = element('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

const byText = new Intl.Collator().compare; // many times faster than localeCompare
const unique = list => [...new Set(list)];
const styleValue = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const isNarrow = () => matchMedia('(max-width: 40rem)').matches;
const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
