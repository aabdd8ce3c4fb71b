// Makes a result set hostile, node hostile.mjs FOLDER: markup in every text, members of a later version, its trajectories gone.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export const markup = '</script><script>alert("script")</script><img src=x onerror=alert("image")>"\'`--><b>$\\&%';
const names = new Set(['title', 'caption', 'label', 'cause', 'text', 'x_label', 'y_label']);
export const hostile = value => {
  if (Array.isArray(value)) return value.map(hostile);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, names.has(key) && typeof part === 'string' ? part + markup : hostile(part)]));
};

const make = folder => {
  // A file without a checksum is taken as it is.
  const { checksum, ...result } = JSON.parse(readFileSync(`${folder}/result.json`, 'utf8'));
  const changed = { ...hostile(result), notes: [markup, ...result.notes], hologram: { later: true } };
  writeFileSync(`${folder}/result.json`, JSON.stringify(changed));
  rmSync(`${folder}/trajectories`, { recursive: true });
};
if (import.meta.url === pathToFileURL(process.argv[1]).href) make(process.argv[2]);
