// @ts-check
// Parts of the page that are fetched when they are first needed, so that it opens light.
import { html, useEffect, useState } from './html.js';
import { Dialog } from './ui.js';

/** What is only needed by parts that come later. */
const styleSheet = '/static/styles/dialogs.css';

/**
 * A dialog whose code comes with its first opening. Until then nothing is drawn, so the focus stays with its opener.
 * @template {{ onClose(): void }} Props
 * @param {() => Promise<(props: Props) => any>} load
 * @returns {(props: Props) => any}
 */
export function lazyDialog(load) {
  /** @type {((props: Props) => any) | undefined} */
  let loaded;

  return function LazyDialog(props) {
    const [, draw] = useState(0);
    const [problem, setProblem] = useState('');
    useEffect(() => {
      if (loaded) return;
      Promise.all([load(), addStyles()]).then(
        ([part]) => {
          loaded = part;
          draw(1);
        },
        () => setProblem('The manager does not answer, so this could not be loaded.'),
      );
    }, []);
    if (loaded) return html`<${loaded} ...${props} />`;
    if (!problem) return null;
    return html`<${Dialog} title="Not loaded" onClose=${props.onClose}><p class="banner bad" role="alert">${problem}</p><//>`;
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
