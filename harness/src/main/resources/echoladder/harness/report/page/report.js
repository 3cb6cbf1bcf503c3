// Reads the plots: what lies nearest to the pointer, or to where the arrow keys went. All of it is in the SVG. No network, no storage.
(() => {
  'use strict';
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const element = (tag, ...children) => {
    const made = document.createElement(tag);
    made.append(...children);
    return made;
  };

  /** Each point of a plot: its panel, its place in the SVG, its words. A mark says them in a title, a curve in its data. */
  function points(svg) {
    return all('path', svg).flatMap(path => {
      const panel = path.closest('.panel'), part = path.closest('[class^=s]'), colour = path.getAttribute('stroke');
      if (path.dataset.said) {
        const box = path.getBBox();
        return [{panel, part, colour, x: box.x + box.width / 2, y: box.y + box.height / 2, words: path.dataset.said}];
      }
      const at = path.getAttribute('d').split('M').slice(1).flatMap(piece => {
        // A beginning and steps from there.
        let x = 0, y = 0;
        return [...piece.matchAll(/(-?[\d.]+) ?(-?[\d.]+)/g)].map(step => [x += Number(step[1]), y += Number(step[2])]);
      });
      const places = panel?.dataset.x.split('|');
      return (path.dataset.v?.split('|') ?? []).flatMap((value, i) => {
        if (!value) return [];
        const [x, y] = at.shift();
        return value.trim() ? [{panel, part, colour, x, y, words: `${part.dataset.name}, ${places[i]}: ${value}`}] : [];
      });
    });
  }

  function reader(plot) {
    const svg = plot.querySelector('svg'), tip = element('div');
    tip.className = 'tip';
    tip.setAttribute('aria-live', 'polite');
    tip.hidden = true;
    plot.append(tip);
    // A browser would show the titles beside the tip.
    svg.setAttribute('aria-label', svg.querySelector('title').textContent);
    all('title', svg).forEach(title => {
      title.parentNode.dataset.said = title.textContent;
      title.remove();
    });
    delete svg.dataset.said;
    let read = null, now = -1;
    const shown = () => (read ??= points(svg)).filter(p => !p.part.classList.contains('off'));
    const column = (of, p) => of.filter(o => o.panel === p.panel && Math.abs(o.x - p.x) < 0.5);
    function show(p) {
      const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
      tip.replaceChildren(...column(shown(), p).sort((a, b) => a.y - b.y).slice(0, 24).map(o => {
        const glyph = element('span', '■ ');
        glyph.style.color = o.colour;
        return element('div', glyph, o.words);
      }));
      tip.hidden = false;
      const left = p.x * scale + 14;
      tip.style.left = Math.max(plot.scrollLeft, Math.min(left, plot.scrollLeft + plot.clientWidth - tip.offsetWidth)) + 'px';
      tip.style.top = p.y * scale + 14 + 'px';
    }
    function hide() {
      tip.hidden = true;
      now = -1;
    }
    plot.addEventListener('pointermove', e => {
      const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
      const x = (e.clientX - box.left) * scale, y = (e.clientY - box.top) * scale;
      const far = p => Math.hypot(p.x - x, p.y - y);
      const nearest = shown().reduce((a, b) => a && far(a) <= far(b) ? a : b, null);
      if (nearest) show(nearest);
    });
    plot.addEventListener('pointerleave', hide);
    plot.addEventListener('blur', hide);
    plot.addEventListener('keydown', e => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[e.key];
      if (e.key === 'Escape') hide();
      if (!step) return;
      const panels = all('.panel', svg), of = shown();
      const stops = of.filter(p => column(of, p)[0] === p).sort((a, b) => panels.indexOf(a.panel) - panels.indexOf(b.panel) || a.x - b.x);
      if (!stops.length) return;
      now = now < 0 && step < 0 ? stops.length - 1 : Math.min(stops.length - 1, Math.max(0, now + step));
      show(stops[now]);
      e.preventDefault();
    });
  }

  /** The values of curves as tables, made when they are asked for: they are many. */
  function tables(details) {
    const curves = all('.panel', details.parentNode).filter(panel => panel.dataset.x);
    if (!details.open || details.made) return;
    details.made = true;
    for (const panel of curves) {
      const columns = new Map(), places = panel.dataset.x.split('|');
      all('[data-name] path', panel).forEach(path => {
        const name = path.parentNode.dataset.name, before = columns.get(name) ?? [];
        const values = path.dataset.v.split('|');
        columns.set(name, places.map((_, i) => before[i] || values[i]?.trim()));
      });
      const rows = places.map((place, i) => [place, ...[...columns.values()].map(values => values[i] || '–')]);
      const table = element('table', ...[[panel.dataset.title, ...columns.keys()], ...rows].map((row, i) =>
        element('tr', ...row.map(cell => element(i ? 'td' : 'th', cell)))));
      const box = element('div', table);
      box.className = 'series';
      box.tabIndex = 0;
      details.append(box);
    }
  }

  all('.plot').forEach(reader);
  all('details.values').forEach(details => details.addEventListener('toggle', () => tables(details)));
  const open = selector => all(selector).forEach(details => { details.open = true; });
  document.getElementById('all')?.addEventListener('click', () => open('details.rung'));
  window.addEventListener('beforeprint', () => open('details.rung, details[id^=symptom]'));
  const follow = () => {
    const to = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (to && to.tagName === 'DETAILS') to.open = true;
  };
  window.addEventListener('hashchange', follow);
  follow();
  all('#legend button').forEach(button => button.addEventListener('click', () => {
    const off = button.getAttribute('aria-pressed') === 'true';
    button.setAttribute('aria-pressed', String(!off));
    all('svg .' + button.dataset.series).forEach(part => part.classList.toggle('off', off));
  }));
})();
