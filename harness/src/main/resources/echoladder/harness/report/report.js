// Draws the plots of a report from the data in the page. No network, no storage; everything read here has a table too.
(() => {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  const hidden = new Set();
  const drawn = [];
  const FONT = 'system-ui, -apple-system, "Segoe UI", sans-serif';
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  const element = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };

  // ---- figures as a person reads them, as in the tables -------------------------------------------------------------
  const digits = v => v < 9.995 ? v.toFixed(2) : v < 99.95 ? v.toFixed(1) : Math.round(v).toLocaleString('en-US');
  const time = us => us == null ? '–' : us < 1 ? Math.round(us * 1e3) + ' ns' : us < 999.5 ? digits(us) + ' µs'
    : us < 999500 ? digits(us / 1e3) + ' ms' : digits(us / 1e6) + ' s';
  const plain = v => v.toLocaleString('en-US', {maximumFractionDigits: 4});
  const tickTime = us => us < 1 ? plain(us * 1e3) + ' ns' : us < 1e3 ? plain(us) + ' µs' : us < 1e6 ? plain(us / 1e3) + ' ms'
    : plain(us / 1e6) + ' s';
  const count = n => n.toLocaleString('en-US', {maximumFractionDigits: 0});
  const value = {
    time_ns: v => time(v / 1e3),
    cpu_us: v => digits(v) + ' µs',
    multiple: v => digits(v) + '×',
    kib: v => Math.abs(v) < 0.9995 ? Math.round(v * 1024) + ' B' : Math.abs(v) < 1023.5 ? digits(v) + ' KiB' : digits(v / 1024) + ' MiB',
    mib: v => Math.abs(v) < 0.9995 ? digits(v * 1024) + ' KiB' : Math.abs(v) < 1023.5 ? digits(v) + ' MiB' : digits(v / 1024) + ' GiB',
    per_s: v => count(v) + '/s',
    number: v => count(v),
  };

  // ---- axes -------------------------------------------------------------------------------------------------------
  const STEPS = [1, 2, 5], DENSE = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  /** From and to a 1, 2 or 5 times a power of ten, with those between as ticks. */
  function logAxis(values, name) {
    const shown = values.filter(v => v > 0);
    const low = Math.min(...shown), high = Math.max(...shown);
    const all = [];
    for (let d = Math.floor(Math.log10(low)) - 1; d <= Math.ceil(Math.log10(high)) + 1; d++) {
      (high / low < 5 ? DENSE : STEPS).forEach(s => all.push(s * 10 ** d));
    }
    const from = all.filter(t => t <= low * 0.97).pop();
    const to = all.find(t => t >= high * 1.03);
    const within = all.filter(t => t >= from && t <= to);
    const powers = within.filter(t => Math.abs(Math.log10(t) - Math.round(Math.log10(t))) < 1e-9);
    const ticks = within.length > 8 && powers.length > 1 ? powers : within;
    return {log: true, from, to, ticks, names: ticks.map(name)};
  }
  /** From 0, so that heights compare. */
  function zeroAxis(values, name) {
    const top = Math.max(...values, 0) * 1.05 || 1;
    const power = 10 ** Math.floor(Math.log10(top / 4));
    const step = (STEPS.find(s => top / (s * power) <= 4) || 10) * power;
    const ticks = [];
    for (let i = 0; i * step < top + step; i++) ticks.push(i * step);
    return {log: false, from: 0, to: ticks[ticks.length - 1], ticks, names: ticks.map(name)};
  }

  // ---- marks ------------------------------------------------------------------------------------------------------
  function mark(c, x, y, shape, size, stroke, hollow) {
    const r = size;
    const polygon = points => {
      points.forEach(([dx, dy], i) => i ? c.lineTo(x + dx * r, y + dy * r) : c.moveTo(x + dx * r, y + dy * r));
      c.closePath();
    };
    c.beginPath();
    c.setLineDash([]);
    if (shape === 'circle') c.arc(x, y, r, 0, 2 * Math.PI);
    else if (shape === 'square') polygon([[-1, -1], [1, -1], [1, 1], [-1, 1]]);
    else if (shape === 'triangle') polygon([[0, -1.2], [1.15, 0.9], [-1.15, 0.9]]);
    else if (shape === 'diamond') polygon([[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]]);
    else if (shape === 'down') polygon([[0, 1.2], [1.15, -0.9], [-1.15, -0.9]]);
    else if (shape === 'cross') [[-1, -1, 1, 1], [1, -1, -1, 1]].forEach(([a, b, d, e]) => { c.moveTo(x + a * r, y + b * r); c.lineTo(x + d * r, y + e * r); });
    else [[-1, 0, 1, 0], [0, -1, 0, 1]].forEach(([a, b, d, e]) => { c.moveTo(x + a * r, y + b * r); c.lineTo(x + d * r, y + e * r); });
    c.fillStyle = hollow ? colour('ground') : stroke;
    c.fill();
    c.strokeStyle = stroke;
    c.lineWidth = 1.5 * devicePixelRatio;
    c.stroke();
  }

  /** Places at least a gap apart, each as near to where it is wanted as the others allow. */
  function apart(wanted, gap, from, to) {
    const at = wanted.slice();
    at.forEach((v, i) => { at[i] = Math.max(v, i ? at[i - 1] + gap : from); });
    let limit = Math.max(to, from + gap * (at.length - 1));
    for (let i = at.length - 1; i >= 0; i--) {
      at[i] = Math.min(at[i], limit);
      limit = at[i] - gap;
    }
    return at;
  }

  // ---- a plot -----------------------------------------------------------------------------------------------------
  /**
   * Draws into an element.
   *   x, y     axes: log, from, to, ticks, names, label
   *   xs       values of x, ascending, that all series share
   *   series   server, ys, dash, thin
   *   marks    server, x, y, low, high, valid: drawn as points
   *   ends     server, x, y: where names stand at the right
   *   read     index of xs -> {head, rows: [{server, text, order}]}
   */
  function plot(target, spec) {
    const entry = {target, spec, u: null};
    drawn.push(entry);
    build(entry);
    let width = target.clientWidth;
    new ResizeObserver(() => {
      if (target.clientWidth && target.clientWidth !== width) {
        width = target.clientWidth;
        build(entry);
      }
    }).observe(target);
  }

  function build(entry) {
    const {target, spec} = entry;
    const focus = document.activeElement === target;
    if (entry.u) entry.u.destroy();
    target.textContent = '';
    const width = target.clientWidth || 320;
    const named = spec.ends && spec.ends.length > 0;
    const letters = width < 480 ? 12 : 17;
    const longest = named ? Math.max(...spec.ends.map(e => Math.min(letters, data.servers[e.server].label.length))) : 0;
    const right = named ? 32 + longest * 6.6 : 16;
    const left = 70;
    const ink = colour('ink'), muted = colour('muted'), line = colour('line');
    const font = '12px ' + FONT;
    const axis = (a, more) => ({
      stroke: muted, font, grid: {stroke: line, width: 1}, ticks: {stroke: line, width: 1, size: 5},
      splits: () => a.ticks, filter: (u, s) => s, values: () => a.names, ...more,
    });
    const u = new uPlot({
      width, height: spec.height,
      legend: {show: false},
      padding: [12, right, spec.x.label ? 0 : 6, 0],
      cursor: {y: false, drag: {x: false, y: false}, points: {show: false}},
      scales: {
        x: {time: false, distr: spec.x.log ? 3 : 1, range: [spec.x.from, spec.x.to]},
        y: {distr: spec.y.log ? 3 : 1, range: [spec.y.from, spec.y.to]},
      },
      axes: [
        axis(spec.x, {
          values: () => thinned(spec.x, width - left - right), grid: {show: Boolean(spec.x.grid), stroke: line, width: 1},
          label: spec.x.label, labelFont: font, labelSize: 20, size: 30,
        }),
        axis(spec.y, {size: left}),
      ],
      series: [{}].concat(spec.series.map(s => ({
        stroke: s.server == null ? muted : data.servers[s.server].colour, width: s.thin ? 1.25 : 2, dash: s.dash, spanGaps: !s.gaps,
        points: {show: Boolean(s.points), size: 4, fill: s.server == null ? muted : data.servers[s.server].colour},
        show: !hidden.has(s.server),
      }))),
      hooks: {
        draw: [u => decorate(u, spec, letters, ink, line, font)],
        setCursor: [u => tip(entry, u.cursor.idx)],
      },
    }, [spec.xs].concat(spec.series.map(s => s.ys)), target);
    entry.u = u;
    entry.tip = element('div', {class: 'tip', 'aria-live': 'polite', hidden: ''});
    target.append(entry.tip);
    if (focus) target.focus();
  }

  /** Names of ticks that would lie upon each other are left out. */
  function thinned(axis, pixels) {
    const at = t => (axis.log ? Math.log(t / axis.from) / Math.log(axis.to / axis.from) : (t - axis.from) / (axis.to - axis.from)) * pixels;
    let last = -Infinity;
    return axis.ticks.map((t, i) => {
      const half = axis.names[i].length * 3.4;
      if (at(t) - half < last + 6) return '';
      last = at(t) + half;
      return axis.names[i];
    });
  }

  function decorate(u, spec, letters, ink, line, font) {
    const c = u.ctx, ratio = devicePixelRatio;
    const X = v => u.valToPos(v, 'x', true), Y = v => u.valToPos(v, 'y', true);
    c.save();
    for (const m of spec.marks || []) {
      if (hidden.has(m.server)) continue;
      const server = data.servers[m.server];
      if (m.high > m.low) {
        c.beginPath();
        c.strokeStyle = server.colour;
        c.lineWidth = 1.5 * ratio;
        c.moveTo(X(m.x), Y(m.low));
        c.lineTo(X(m.x), Y(m.high));
        c.stroke();
      }
      mark(c, X(m.x), Y(m.y), server.shape, 3.6 * ratio, server.colour, !m.valid);
    }
    const ends = (spec.ends || []).filter(e => !hidden.has(e.server)).sort((a, b) => Y(a.y) - Y(b.y));
    const places = apart(ends.map(e => Y(e.y)), 15 * ratio, u.bbox.top, u.bbox.top + u.bbox.height);
    const edge = u.bbox.left + u.bbox.width;
    c.font = font.replace('12px', 12 * ratio + 'px');
    c.textAlign = 'left';
    c.textBaseline = 'middle';
    ends.forEach((e, i) => {
      const server = data.servers[e.server];
      c.beginPath();
      c.strokeStyle = line;
      c.lineWidth = ratio;
      c.moveTo(X(e.x) + 6 * ratio, Y(e.y));
      c.lineTo(edge + 8 * ratio, places[i]);
      c.stroke();
      mark(c, edge + 14 * ratio, places[i], server.shape, 3.6 * ratio, server.colour, false);
      c.fillStyle = ink;
      const label = server.label;
      const cut = server.tail ? '…' + label.slice(1 - letters) : label.slice(0, letters - 1) + '…';
      c.fillText(label.length > letters ? cut : label, edge + 23 * ratio, places[i]);
    });
    c.restore();
  }

  function tip(entry, index) {
    const {target, spec, u} = entry;
    entry.index = index;
    if (!entry.tip) return;
    const read = index == null ? null : spec.read(index);
    if (!read || !read.rows.length) {
      entry.tip.hidden = true;
      return;
    }
    entry.tip.replaceChildren(element('strong', {}, read.head));
    const table = element('table');
    read.rows.filter(r => !hidden.has(r.server)).sort((a, b) => b.order - a.order).slice(0, 24).forEach(r => {
      const glyph = element('span', {class: 'glyph', style: 'color:' + (r.server == null ? '' : data.servers[r.server].colour)},
        r.server == null ? '' : '■');
      table.append(element('tr', {}, element('td', {}, glyph, r.name), element('td', {}, r.text)));
    });
    entry.tip.append(table);
    entry.tip.hidden = false;
    const x = u.over.offsetLeft + u.valToPos(spec.xs[index], 'x');
    const width = entry.tip.offsetWidth;
    entry.tip.style.left = Math.max(0, x + 14 + width > target.clientWidth ? x - 14 - width : x + 14) + 'px';
    entry.tip.style.top = u.over.offsetTop + 6 + 'px';
  }

  document.addEventListener('keydown', e => {
    const entry = drawn.find(d => d.target === e.target);
    const step = {ArrowRight: 1, ArrowLeft: -1}[e.key];
    if (!entry || !step && e.key !== 'Escape') return;
    const last = entry.spec.xs.length - 1;
    const index = !step ? null : entry.index == null ? (step > 0 ? 0 : last) : Math.min(last, Math.max(0, entry.index + step));
    if (index == null) entry.u.setCursor({left: -10, top: -10});
    else entry.u.setCursor({left: entry.u.valToPos(entry.spec.xs[index], 'x'), top: 10});
    e.preventDefault();
  });

  // ---- over the connections -----------------------------------------------------------------------------------------
  function panel(target, of) {
    const marks = [], series = [], ends = [];
    for (const line of of.lines) {
      const own = line.marks.map(([x, y, low, high, repeats, valid, atLeast]) =>
        ({server: line.server, x, y, low, high, repeats, valid: Boolean(valid), atLeast: Boolean(atLeast)}));
      marks.push(...own);
      series.push({server: line.server, ys: of.x.map(x => (own.find(m => m.valid && m.x === x) || {y: null}).y)});
      ends.push(own[own.length - 1]);
    }
    const room = of.x.length === 1 ? 2 : 1.15;
    const show = value[of.unit];
    const axis = of.values.length > 0;
    const seconds = ms => plain(ms / 1e3) + ' s';
    const across = of.overTime ? {...zeroAxis(of.x, seconds), label: 'since the start'} : axis ? {log: false, from: -0.5, to: of.values.length - 0.5, ticks: of.x, names: of.values, label: of.across}
      : {log: true, from: of.x[0] / room, to: of.x[of.x.length - 1] * room, ticks: of.x, names: of.x.map(count),
        label: of.across + (of.log ? ' (both axes logarithmic)' : ' (logarithmic)')};
    plot(target, {
      height: 290, xs: of.x, series, marks: of.overTime ? [] : marks, ends,
      x: across,
      y: {log: of.log, from: of.from, to: of.to, ticks: of.ticks, names: of.names},
      read: i => ({
        head: of.overTime ? seconds(of.x[i]) : axis ? of.across + ' ' + of.values[i] : count(of.x[i]) + ' ' + of.across,
        rows: marks.filter(m => m.x === of.x[i]).map(m => ({
          server: m.server, name: data.servers[m.server].label, order: m.y,
          text: (m.atLeast ? '≥ ' : '') + show(m.y) + (m.repeats > 1 ? ' (' + show(m.low) + ' to ' + show(m.high) + ')' : '')
            + (m.valid ? '' : ' invalid'),
        })),
      }),
    });
  }

  // ---- each rung ----------------------------------------------------------------------------------------------------
  const beyond = k => 10 ** (-k / data.perDecade);
  const repeated = data.rungs.some(r => r.series.some(s => s.repeat > 1));
  const name = s => data.servers[s.server].label + (repeated ? ', repeat ' + s.repeat : '') + (s.valid ? '' : ' (invalid)');
  const percent = p => plain(p) + ' %';

  /** A figure with its plot, a sentence and a table that is made when it is opened. */
  function figure(into, title, text, spec, heads, rows) {
    const target = element('div', {class: 'plot', tabindex: '0', role: 'group', 'aria-roledescription': 'plot', 'aria-label': title + '. ' + text});
    const details = element('details', {}, element('summary', {}, 'Table: ' + title));
    details.addEventListener('toggle', () => {
      if (details.open && details.children.length === 1) details.append(table(title, heads, rows()));
    });
    into.append(element('figure', {}, element('figcaption', {}, title), target, element('p', {class: 'muted small'}, text), details));
    plot(target, spec);
  }

  function table(title, heads, rows) {
    const head = element('tr', {}, ...heads.map(h => element('th', {scope: 'col', class: 'n'}, h)));
    const body = rows.map(r => element('tr', {}, ...r.map((cell, i) => element(i ? 'td' : 'th', i ? {class: 'n'} : {scope: 'row', class: 'n'}, cell))));
    return element('div', {class: 'scroll', role: 'region', tabindex: '0', 'aria-label': 'Table: ' + title},
      element('table', {}, element('thead', {}, head), element('tbody', {}, ...body)));
  }

  function spectrum(into, rung, kind) {
    const of = rung.series.filter(s => s[kind]);
    if (!of.length) return;
    const longest = Math.max(...of.map(s => s[kind].y.length));
    const xs = Array.from({length: longest}, (_, k) => 1 / beyond(k));
    const series = [], ends = [];
    for (const s of of) {
      const {y, given} = s[kind];
      // Where a message was never answered the values are lower bounds.
      const bounded = kind === 'response' && s.bound != null ? y.findIndex((_, k) => 100 - 100 * beyond(k) > s.bound) : -1;
      const solid = bounded < 0 ? given : Math.min(given, bounded);
      const thin = repeated;
      series.push({server: s.server, thin, gaps: true, ys: xs.map((_, k) => k < solid ? y[k] : null)});
      series.push({server: s.server, thin, gaps: true, dash: [3, 4], ys: xs.map((_, k) => k >= solid - 1 && k < y.length ? y[k] : null)});
      if (!ends.some(e => e.server === s.server)) ends.push({server: s.server, x: xs[y.length - 1], y: y[y.length - 1]});
    }
    const nines = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999].filter(p => 1 / (1 - p / 100) <= xs[longest - 1] * 1.01);
    const least = (s, p) => kind === 'response' && s.bound != null && p > s.bound ? '≥ ' : '';
    const at = (s, p) => {
      const k = Math.round(-Math.log10(1 - p / 100) * data.perDecade);
      return k < s[kind].given ? least(s, p) + time(s[kind].y[k]) : '–';
    };
    const kinds = kind === 'response' ? 'Response time' : 'Service time';
    figure(into, kinds + ', percentile spectrum',
      (kind === 'service' ? 'From the actual send: what a request waited before it is not in it. ' : '')
        + 'p99: ' + of.map(s => name(s) + ' ' + at(s, 99)).join(', ') + '.',
      {
        height: 340, xs, series, ends,
        x: {log: true, grid: true, from: 1, to: xs[longest - 1], ticks: nines.map(p => 1 / (1 - p / 100)), names: nines.map(percent),
          label: 'percentile, on an axis of 1/(1-p)'},
        y: logAxis(of.flatMap(s => s[kind].y), tickTime),
        read: k => ({
          head: 'percentile ' + percent(100 - 100 * beyond(k)),
          rows: of.filter(s => k < s[kind].y.length).map(s => ({server: s.server, name: name(s), order: s[kind].y[k],
            text: least(s, 100 - 100 * beyond(k)) + time(s[kind].y[k]) + (k < s[kind].given ? '' : k === s[kind].y.length - 1 ? ' (maximum)' : ' (fewer than 20 beyond)')})),
        }),
      },
      ['percentile'].concat(of.map(name)),
      () => [50, 90, 99, 99.9, 99.99].map(p => [percent(p)].concat(of.map(s => p === 50 ? least(s, 50) + half(s[kind]) : at(s, p))))
        .concat([['maximum'].concat(of.map(s => least(s, 100) + time(s[kind].max)))], [['samples'].concat(of.map(s => count(s[kind].count)))]));
  }

  /** The median lies between two points of the axis. */
  function half(of) {
    const k = -Math.log10(0.5) * data.perDecade, low = Math.floor(k);
    return of.count < 40 ? '–' : '≈ ' + time(of.y[low] + (of.y[low + 1] - of.y[low]) * (k - low));
  }

  function strip(into, rung, key, title, options) {
    const of = rung.series.filter(s => s[key]);
    if (!of.length) return;
    const xs = Array.from({length: rung.bins}, (_, i) => (i + 0.5) * rung.binSeconds);
    const values = of.flatMap(s => s[key]).filter(v => v != null);
    if (!values.length) return;
    const highest = s => Math.max(...s[key].filter(v => v != null));
    if (options.nothing && values.every(v => v === 0)) {
      into.append(element('figure', {}, element('figcaption', {}, title), element('p', {class: 'muted small'}, options.nothing)));
      return;
    }
    const series = of.map(s => ({server: s.server, thin: repeated, gaps: true, points: true, ys: xs.map((_, i) => s[key][i] ?? null)}));
    if (options.offered) series.push({server: null, dash: [6, 4], thin: true, ys: xs.map(() => options.offered)});
    const all = options.offered ? values.concat([options.offered]) : values;
    const end = rung.bins * rung.binSeconds;
    const step = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600].find(s => end / s <= 12) || Math.ceil(end / 10);
    const ticks = Array.from({length: Math.floor(end / step) + 1}, (_, i) => i * step);
    figure(into, title,
      options.text + ' Highest: ' + of.map(s => name(s) + ' ' + options.show(highest(s))).join(', ') + '.',
      {
        height: options.log ? 220 : 170, xs, series,
        ends: options.log ? of.filter((s, i) => of.findIndex(o => o.server === s.server) === i).map(s => {
          const last = s[key].findLastIndex(v => v != null);
          return {server: s.server, x: xs[last], y: s[key][last]};
        }).filter(e => e.y != null) : [],
        x: {log: false, from: 0, to: end, ticks, names: ticks.map(t => t + ' s'), label: 'since the steady state began'},
        y: options.log ? logAxis(all, options.tick) : zeroAxis(all, options.tick),
        read: i => ({
          head: rung.binSeconds === 1 ? 'second ' + (i + 1) : 'seconds ' + (i * rung.binSeconds + 1) + ' to ' + (i + 1) * rung.binSeconds,
          rows: of.filter(s => s[key][i] != null).map(s => ({server: s.server, name: name(s), order: s[key][i], text: options.show(s[key][i])})),
        }),
      },
      ['second'].concat(of.map(name)),
      () => xs.map((_, i) => [String(i * rung.binSeconds + 1)].concat(of.map(s => s[key][i] == null ? '–' : options.show(s[key][i])))));
  }

  function rung(into, of) {
    const top = element('div'), strips = element('div', {class: 'grid'});
    into.append(top, strips);
    spectrum(top, of, 'response');
    if (of.series.some(s => s.closed)) spectrum(top, of, 'service');
    const each = of.binSeconds === 1 ? 'each second' : 'each ' + of.binSeconds + ' seconds';
    const closed = of.series.some(s => s.closed);
    strip(strips, of, 'times', (closed ? 'Response time (of a closed loop service time), ' : 'Response time, ') + of.percentile + ' of ' + each,
      {log: true, show: time, tick: tickTime, text: 'What was recorded then: a stall appears when it ends, and a gap is a piece without an answer.'});
    strip(strips, of, 'rate', 'Achieved rate', {show: v => digits(v) + '/s', tick: v => plain(v) + '/s', offered: of.offered,
      text: 'Answers per second, as the client counted.' + (of.offered ? ' Dashed: the offered rate.' : '')});
    strip(strips, of, 'gc', 'Pauses of the server’s collector', {show: time, tick: v => v === 0 ? '0' : tickTime(v),
      text: 'Together in ' + each + '.', nothing: 'No server’s collector paused in this steady state.'});
    strip(strips, of, 'serverHiccup', 'Hiccups of the server', {show: time, tick: v => v === 0 ? '0' : tickTime(v),
      text: 'The longest that its own meter overslept in ' + each + ': time that the server did not get, be it by its collector, a safepoint or the host.'});
    strip(strips, of, 'hiccup', 'Hiccups of the client', {show: time, tick: v => v === 0 ? '0' : tickTime(v),
      text: 'The longest overrun of a timed wait in ' + each + ': time that the client did not get.'});
    if (!into.querySelector('figure')) {
      into.append(element('p', {class: 'muted'}, 'No interval log: a load tool of others gives percentiles, and percentiles are no histogram.'));
    }
  }

  // ---- the page -------------------------------------------------------------------------------------------------------
  document.querySelectorAll('.plot[data-panel]').forEach(target => panel(target, data.panels[Number(target.dataset.panel)]));
  const rungs = [...document.querySelectorAll('details.rung')];
  const fill = details => {
    const into = details.querySelector('.rung-plots');
    if (details.open && !into.children.length) rung(into, data.rungs[Number(details.dataset.rung)]);
  };
  rungs.forEach(details => {
    details.addEventListener('toggle', () => fill(details));
    fill(details);
  });
  const openAll = () => rungs.forEach(details => {
    details.open = true;
    fill(details);
  });
  document.getElementById('all')?.addEventListener('click', openAll);
  window.addEventListener('beforeprint', () => {
    openAll();
    document.querySelectorAll('#symptoms details').forEach(details => { details.open = true; });
  });
  const follow = () => {
    const to = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (to && to.tagName === 'DETAILS') to.open = true;
  };
  window.addEventListener('hashchange', follow);
  follow();
  document.querySelectorAll('#legend button').forEach(button => button.addEventListener('click', () => {
    const server = Number(button.dataset.server);
    const show = hidden.has(server);
    if (show) hidden.delete(server); else hidden.add(server);
    button.setAttribute('aria-pressed', String(show));
    document.querySelectorAll(`tr[data-server="${server}"]`).forEach(row => { row.hidden = !show; });
    drawn.forEach(build);
  }));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => drawn.forEach(build));
})();
