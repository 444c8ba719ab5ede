// @ts-check
// Fetches parts of the page when they are first needed, so that the page opens light.
import { html, useEffect, useState } from './html.js';
import { Dialog } from './ui.js';

/** What is only needed by parts that come later. */
const styleSheet = '/static/styles/dialogs.css';

/**
 * Browsers drop requests when a network of the machine appears or disappears, as those of containers do, so a second
 * attempt follows soon.
 */
const pausesMs = [0, 200];

/** @template Props @typedef {import('./html.js').Draw<Props>} Draw */

/**
 * A dialog whose code comes with its first opening. Until then nothing is drawn, so the focus stays with its opener.
 * @template {{ onClose(): void }} Props
 * @param {() => Promise<Draw<Props>>} load
 * @returns {Draw<Props>}
 */
export function lazyDialog(load) {
  return lazyPart(
    load,
    ({ onClose }) => html`<${Dialog} title="Not loaded" onClose=${onClose}>
      <p class="banner bad" role="alert">The manager does not answer. This opens once it does.</p><//>`,
  );
}

/**
 * A part of the page whose code comes when it is first drawn. Until then nothing is.
 * @template Props
 * @param {() => Promise<Draw<Props>>} load
 * @param {Draw<Props>} [instead] What is drawn while it does not come.
 * @returns {Draw<Props>}
 */
export function lazyPart(load, instead = () => null) {
  /** @type {Draw<Props> | undefined} */
  let loaded;

  return function LazyPart(props) {
    const [, draw] = useState(0);
    const [failures, setFailures] = useState(0);
    useEffect(() => {
      if (loaded) return;
      const attempt = () =>
        Promise.all([load(), addStyles()]).then(
          ([part]) => {
            loaded = part;
            draw(1);
          },
          () => setFailures(failures + 1),
        );
      const timer = setTimeout(attempt, pausesMs[failures] ?? 2_000);
      return () => clearTimeout(timer);
    }, [failures]);
    if (loaded) return html`<${loaded} ...${props} />`;
    return failures < pausesMs.length ? null : instead(props);
  };
}

/** @type {Promise<void> | undefined} */
let styles;

function addStyles() {
  styles ??= new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: styleSheet });
    link.onload = () => resolve();
    link.onerror = () => {
      styles = undefined;
      link.remove();
      reject(new Error(styleSheet));
    };
    document.head.append(link);
  });
  return styles;
}
