// Tables that are sorted by their heads, filtered by words, shown by columns, and copied. Rows beyond those that are shown wait
// as text: ten thousand of them cost nothing.

const rowsAtOnce = 200;

const csvCell = text => /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
const latexSigns = { '\\': '\\textbackslash{}', '~': '\\textasciitilde{}', '^': '\\textasciicircum{}', '–': '--', '−': '$-$',
  '±': '$\\pm$', '✓': '$\\checkmark$', '≈': '$\\approx$', '✗': '$\\times$', '×': '$\\times$', '·': '$\\cdot$', 'µ': '\\textmu{}' };
const greek = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho . sigma tau upsilon phi chi psi omega'.split(' ');
const latexCell = text => text.replace(/[\\~^–−±✓≈✗×·µ]/g, sign => latexSigns[sign]).replace(/(?<!\\)[&%#_$](?!\\|-\$)/g, sign => `\\${sign}`)
  .replace(/[α-ω]/g, letter => `$\\${greek[letter.charCodeAt(0) - 945]}$`);

class Table {
  // columns: [{name, number}]; rows: [{cells: [text], node}] or, where nodes are made on demand, `make(row)`.
  constructor(table, columns, rows, make) {
    Object.assign(this, { table, columns, rows, make, words: [], sorted: null, falling: false, limit: rowsAtOnce });
    this.hidden = new Set();
    this.keep = () => true;
    this.body = table.tBodies[0] ?? table.createTBody();
    rows.forEach((row, place) => { row.place = place; });
    this.rows = rows;
    this.addHeads();
    this.addTools();
    this.show();
  }

  addHeads() {
    this.heads = [...this.table.tHead.rows[0].cells];
    if (this.rows.length < 3) return;
    this.heads.forEach((head, column) => {
      if (!head.textContent.trim()) return;
      const press = button('', () => this.sortBy(column));
      press.append(...head.childNodes);
      head.append(press);
    });
  }

  addTools() {
    const name = this.table.caption?.textContent ?? 'rows';
    this.count = element('output', { 'aria-live': 'polite' });
    this.box = element('input', { type: 'search', placeholder: 'refuted, index-3, …', input: () => this.filter() });
    const tools = element('div', { class: 'tools' });
    if (this.rows.length > 7) tools.append(element('label', {}, 'Rows with ', this.box), ' ', this.count);
    if (this.columns.length > 3) {
      const columns = element('div', { class: 'columns' });
      this.columns.forEach((column, i) => columns.append(check(column.name, true, on => this.switchColumn(i, on))));
      tools.append(element('details', { class: 'menu' }, element('summary', {}, 'Columns'), columns));
    }
    tools.append(copyButton('CSV', () => this.csv(), `${name} as CSV`), copyButton('LaTeX', () => this.latex(), `${name} as LaTeX`));
    this.more = button('', () => { this.limit *= 10; this.show(); }, { class: 'more' });
    const frame = this.table.closest('.scroll') ?? this.table;
    if (this.rows.length > 7) frame.before(tools);
    else frame.after(tools);
    frame.after(this.more);
    this.tools = tools;
  }

  number(row, column) {
    row.numbers ??= row.cells.map(toNumber);
    return row.numbers[column];
  }

  sortBy(column) {
    this.falling = this.sorted === column && !this.falling;
    this.sorted = column;
    const compare = (a, b) => {
      const x = this.number(a, column), y = this.number(b, column), sign = this.falling ? -1 : 1;
      if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1; // what is no number stays below
      if (!isNaN(x) && x !== y) return sign * (x - y);
      const order = isNaN(x) ? sign * byText(a.cells[column], b.cells[column]) : 0;
      return order || a.place - b.place;
    };
    this.rows.sort(compare);
    this.heads.forEach(head => head.removeAttribute('aria-sort'));
    this.heads[column].setAttribute('aria-sort', this.falling ? 'descending' : 'ascending');
    this.show();
  }

  filter() {
    this.words = this.box.value.toLowerCase().split(/\s+/).filter(word => word);
    this.limit = rowsAtOnce;
    this.show();
  }

  found() {
    return this.rows.filter(row => {
      row.text ??= row.cells.join(' ').toLowerCase();
      return this.keep(row) && this.words.every(word => row.text.includes(word));
    });
  }

  show() {
    const found = this.found();
    const shown = found.slice(0, this.limit);
    this.body.replaceChildren(...shown.map(row => row.node ??= this.make(row)));
    for (const row of shown) this.hideCells(row.node);
    this.count.textContent = found.length < this.rows.length ? `${found.length} of ${this.rows.length}` : `${this.rows.length} rows`;
    this.more.hidden = shown.length === found.length;
    this.more.textContent = `${found.length - shown.length} more rows`;
  }

  hideCells(row) {
    if (this.hidden.size || row.dataset.trimmed) [...row.cells].forEach((cell, i) => { cell.hidden = this.hidden.has(i); });
    row.dataset.trimmed = this.hidden.size ? '1' : '';
  }

  switchColumn(column, isOn) {
    if (isOn) this.hidden.delete(column);
    else this.hidden.add(column);
    this.heads[column].hidden = !isOn;
    this.show();
  }

  selection() {
    const columns = this.columns.map((column, i) => i).filter(i => !this.hidden.has(i));
    return [columns.map(i => this.columns[i].name), ...this.found().map(row => columns.map(i => row.cells[i]))];
  }
  csv() { return this.selection().map(line => line.map(csvCell).join(',')).join('\n') + '\n'; }
  latex() {
    const lines = this.selection().map(line => `  ${line.map(latexCell).join(' & ')} \\\\`);
    const align = this.columns.map((column, i) => this.hidden.has(i) ? '' : column.number ? 'r' : 'l').join('');
    const caption = latexCell(this.table.caption?.textContent ?? '');
    return ['% needs booktabs and amssymb', '\\begin{table}', '  \\centering', `  \\caption{${caption}}`, `  \\begin{tabular}{${align}}`,
      '  \\toprule', lines[0], '  \\midrule', ...lines.slice(1), '  \\bottomrule', '  \\end{tabular}', '\\end{table}', ''].join('\n');
  }
}

const cellText = cell => (cell.dataset.text ?? cell.innerText ?? cell.textContent).trim().replace(/\s+/g, ' ');

// A table that stands in the page. Long ones have their first rows there and all of them in the data.
const enhance = table => {
  const heads = [...table.tHead.rows[0].cells];
  const columns = heads.map(head => ({ name: head.textContent, number: head.classList.contains('number') }));
  const long = data.sets[table.dataset.set]?.longTables?.[table.dataset.table];
  const make = row => {
    const line = element('tr');
    row.cells.forEach((text, i) => line.append(element('td', { class: columns[i].number && 'number' }, text)));
    return line;
  };
  const rows = long ? long.map(cells => ({ cells }))
                    : [...table.tBodies[0].rows].map(node => ({ node, cells: [...node.cells].map(cellText) }));
  return new Table(table, columns, rows, make);
};
