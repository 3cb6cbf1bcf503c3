// Explains an error text or a number as the verb explain does, by the table of explainTable. No network, no storage.
// The arithmetic is that of Likeness, Walls and Explainer, whose numbers it repeats; the patterns come from Wording.
const explainer = (table => {
  'use strict';
  const rules = table.rules;
  const pattern = (name, flags) => new RegExp(rules[name], flags + 'u');
  const errorNumber = pattern('errorNumber', 'gi'), noise = pattern('noise', 'gi'), word = pattern('word', 'g'), count = pattern('count', 'gi');
  const ofALimit = pattern('ofALimit', 'i'), threads = pattern('threads', 'i');
  const fillers = new Set(rules.fillers);
  const cut = line => line.slice(0, 4000);

  function words(line) {
    const text = cut(line);
    const errors = [...text.matchAll(errorNumber)].map(found => rules.errno[found[1]]).filter(name => name);
    return [...errors, ...(text.replace(noise, ' ').toLowerCase().match(word) ?? [])];
  }

  function numbers(line) {
    const text = cut(line).replace(noise, ' ');
    if (!ofALimit.test(text) && text.replace(count, ' ').search(pattern('word', '')) >= 0) return [];
    const all = new Map();
    for (const [, number, thousands, called] of text.matchAll(count)) {
      const digits = number.replace(/[,' ]/g, ''), unit = (called ?? '').toLowerCase();
      const value = Number(digits) * (!thousands ? 1 : thousands.toLowerCase() === 'k' ? 1e3 : 1e6);
      const other = unit.endsWith('b') || ['ms', 'bytes', '%'].includes(unit);
      if (digits.length > 12 || other || value < 1) continue;
      const asked = {value: Math.round(value * (unit.startsWith('h') ? 3600 : unit.startsWith('min') ? 60 : 1)), seconds: unit !== '', threads: threads.test(text)};
      all.set(asked.value + '|' + asked.seconds, asked);
    }
    return [...all.values()];
  }

  const known = table.topics.flatMap(topic => [
    ...topic.texts.map(text => ({topic, text, words: words(text)})), {topic, text: null, words: words(topic.words.join(' '))}]);
  const having = new Map();
  known.forEach(one => new Set(one.words).forEach(of => having.set(of, (having.get(of) ?? 0) + 1)));
  const weight = of => Math.log((known.length + 1) / (having.get(of) ?? 1));
  const sum = (of, value) => [...of].reduce((all, one) => all + value(one), 0);

  function edits(a, b) {
    let row = [...Array(b.length + 1).keys()];
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++) {
        next[j] = Math.min(row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1), Math.min(row[j], next[j - 1]) + 1);
      }
      row = next;
    }
    return row[b.length];
  }

  function same(a, b) {
    if (a === b) return 1;
    const longer = Math.max(a.length, b.length), most = longer >= 8 ? 2 : 1;
    return longer < 4 || Math.abs(a.length - b.length) > most || edits(a, b) > most ? 0 : 0.85;
  }

  const alikes = new Map();
  function alike(of) {
    if (!alikes.has(of)) {
      alikes.set(of, new Map([...having.keys()].map(other => [other, same(of, other)]).filter(([, sure]) => sure > 0)));
    }
    return alikes.get(of);
  }

  function found(ofText, has, there, met, inARow) {
    const said = of => sum([...of].filter(one => !fillers.has(one)), weight), all = said(there);
    const ofLine = all === 0 ? 0 : said(met) / all, many = [...met].filter(one => !fillers.has(one)).length;
    return {
      score: ofText * ofText * has * (0.6 + 0.4 * ofLine),
      tells: inARow || (ofText >= 0.62 && ofLine >= 0.4) || (ofText >= 0.75 && has >= 12) || (ofText >= 0.45 && ofLine >= 0.85 && many >= 2),
    };
  }

  function compare(text, line) {
    const there = new Set(line), met = new Set();
    let has = 0, all = 0;
    for (const of of new Set(text)) {
      let part = 0;
      for (const other of there) {
        const sure = alike(other).get(of);
        if (sure) {
          met.add(other);
          part = Math.max(part, sure);
        }
      }
      has += weight(of) * part;
      all += weight(of);
    }
    const inARow = text.length > 0 && line.some((_, from) => text.every((of, i) => line[from + i] === of));
    return found(all === 0 ? 0 : has / all, has, there, met, inARow);
  }

  function any(keywords, line) {
    const there = new Set(line), met = new Set([...there].filter(of => keywords.includes(of)));
    return found(met.size ? 1 : 0, sum(met, weight), there, met, false);
  }

  const distance = (wall, asked) => Math.abs(wall.at - asked.value) / wall.at + (asked.threads === wall.threads ? 0 : 0.05);
  function walls(topic, asked) {
    const met = asked.flatMap(number => topic.walls.filter(wall => {
      const below = wall.at - number.value, above = wall.unit ? 5 + wall.at * 0.1 : 1 + wall.at / 1000;
      return number.seconds === (wall.unit === 's') && wall.at > 0 && -below <= above
        && below <= Math.max(Math.trunc(wall.at * 0.025), Math.min(wall.besides, Math.floor(wall.at / 8)));
    }).map(wall => ({...wall, distance: distance(wall, number)})));
    met.sort((a, b) => a.distance - b.distance);
    return met.filter((wall, i) => met.findIndex(other => other.is === wall.is) === i);
  }

  const match = (topic, text, met, score) => ({topic, text, walls: met.slice(0, 3), score});
  const byScore = (a, b) => b.score - a.score;

  /** What a text may mean: {found, matches}; each match has its topic, the text that is known, and the numbers that fit. */
  return pasted => {
    const lines = pasted.split(/\r\n|[\n\r]/).filter(line => !/^(\s+at .*|\s*\.\.\. \d+ more)$/.test(line)).slice(0, 2000);
    const best = new Map();
    for (const line of lines.map(words)) {
      for (const one of known) {
        const here = {text: one.text, ...(one.text === null ? any(one.words, line) : compare(one.words, line))}, old = best.get(one.topic);
        if (!old || !(old.tells === here.tells ? old.score >= here.score : old.tells)) best.set(one.topic, here);
      }
    }
    const asked = pasted.length > 400 ? [] : lines.flatMap(numbers);
    const told = [...best].filter(([, one]) => one.tells).map(([topic, one]) => {
      const met = walls(topic, asked);
      return match(topic, one.text, met, one.score + (met.length ? 3 * (1 - met[0].distance) : 0));
    }).sort(byScore);
    if (told.length) return {found: true, matches: told.filter(one => one.score >= told[0].score * 0.4).slice(0, 5)};
    const counted = table.topics.map(topic => match(topic, null, walls(topic, asked), 0)).filter(one => one.walls.length);
    counted.forEach(one => { one.score = 1 - one.walls[0].distance; });
    if (counted.length) return {found: true, matches: counted.sort(byScore).slice(0, 5)};
    const nearest = [...best].filter(([, one]) => one.score > 0).map(([topic, one]) => match(topic, one.text, [], one.score));
    return {found: false, matches: nearest.sort(byScore).slice(0, 3)};
  };
})(explainTable);

// The page: what is typed, or comes as ?q= from the field of another page, is explained at once; the list keeps what has its words.
(() => {
  'use strict';
  const field = document.getElementById('q'), place = document.getElementById('found');
  if (!field) return;
  const element = (tag, text, name) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (name) made.className = name;
    return made;
  };

  function shown({topic, text, walls}, found) {
    const head = element('h3', ''), link = element('a', topic.id);
    link.href = '../' + topic.page.replace(/\.md$/, '.html');
    head.append(link);
    const parts = [head, element('p', topic.means)];
    if (text) parts.push(element('p', 'known text: ' + text, 'label'));
    walls.forEach(wall => {
      const at = wall.at.toLocaleString('en-US') + (wall.unit ? ' ' + wall.unit : '');
      parts.push(element('p', `${at}${wall.arithmetic === wall.at.toLocaleString('en-US') ? '' : ' = ' + wall.arithmetic}: ${wall.is} (${wall.of})`));
    });
    if (found) {
      parts.push(element('p', 'show it', 'label'), element('pre', topic.show), element('p', 'lift it', 'label'), element('pre', topic.lift));
    }
    return parts;
  }

  function filter(text) {
    const words = text.toLowerCase().split(/\s+/).filter(of => of), rows = [...document.querySelectorAll('#symptoms tbody tr')];
    const has = row => words.every(of => row.textContent.toLowerCase().includes(of)), any = rows.some(has);
    rows.forEach(row => { row.hidden = any && !has(row); });
  }

  function explain() {
    const text = field.value;
    filter(text);
    if (!text.trim()) return place.replaceChildren();
    const answer = explainer(text);
    const head = answer.found ? [] : [element('p', 'Nothing known fits this text.' + (answer.matches.length ? ' Nearest:' : ' Give the one line that names the error, or only the number at which it stops.'))];
    place.replaceChildren(...head, ...answer.matches.flatMap(match => shown(match, answer.found)));
  }

  field.addEventListener('input', explain);
  document.getElementById('explain').addEventListener('submit', event => event.preventDefault());
  field.value = new URLSearchParams(location.search).get('q') ?? '';
  explain();
})();
