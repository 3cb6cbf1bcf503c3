/* The report of a run that is under way: shows what the run does now, and loads a newer page where the reader is. */
(() => {
  'use strict';
  const EVERY_MS = 2000;
  const KEY = 'echo-ladder-place';
  const version = document.documentElement.dataset.version;

  /** A selector that finds the same element in the next page: from the nearest id on, by place. */
  function selector(element) {
    const steps = [];
    for (let e = element; e && e !== document.body; e = e.parentElement) {
      if (e.id) {
        steps.unshift('#' + CSS.escape(e.id));
        return steps.join(' > ');
      }
      const alike = [...e.parentElement.children].filter(c => c.localName === e.localName);
      steps.unshift(e.localName + ':nth-of-type(' + (alike.indexOf(e) + 1) + ')');
    }
    return ['body', ...steps].join(' > ');
  }

  function keep() {
    const focus = document.activeElement && document.activeElement !== document.body ? selector(document.activeElement) : null;
    const details = [...document.querySelectorAll('details')].map(d => [selector(d), d.open]);
    sessionStorage.setItem(KEY, JSON.stringify({x: scrollX, y: scrollY, focus, details}));
  }

  function restore() {
    const kept = JSON.parse(sessionStorage.getItem(KEY) || 'null');
    sessionStorage.removeItem(KEY);
    if (!kept) return;
    for (const [where, open] of kept.details) {
      const found = document.querySelector(where);
      if (found) found.open = open;
    }
    const focus = kept.focus && document.querySelector(kept.focus);
    if (focus) focus.focus({preventScroll: true});
    scrollTo(kept.x, kept.y);
  }

  async function ask() {
    try {
      const now = await (await fetch('/version', {cache: 'no-store'})).text();
      if (now !== version) {
        keep();
        location.reload();
        return;
      }
      document.getElementById('now').textContent = await (await fetch('/now', {cache: 'no-store'})).text();
    } catch (e) {
      // The run has ended, and its ladder with it: this page stays as it is.
      document.getElementById('now').textContent = '';
      document.getElementById('live').textContent = 'The run is no longer served here: it has ended. Its report is in its folder.';
      return;
    }
    setTimeout(ask, EVERY_MS);
  }

  restore();
  ask();
})();
