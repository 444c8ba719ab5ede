// @ts-check
// Preact and htm as one module, so that no other file names a vendor path. Templates escape whatever is put into
// them: text stays text, and nothing here or elsewhere takes markup from a string.
import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from '../vendor/hooks.mjs';
import htm from '../vendor/htm.mjs';
import { Component, Fragment, h, render } from '../vendor/preact.mjs';

export { Fragment, render, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState };

/** @type {(strings: TemplateStringsArray, ...values: unknown[]) => any} */
export const html = htm.bind(/** @type {any} */ (h));

/**
 * Draws a component again only when its properties differ.
 * @template Props
 * @param {(props: Props) => any} draw
 * @param {(before: Props, after: Props) => boolean} [isEqual]
 */
export function memo(draw, isEqual = isShallowEqual) {
  return class extends Component {
    /** @override @param {any} next */
    shouldComponentUpdate(next) {
      return !isEqual(/** @type {any} */ (this.props), next);
    }

    /** @override @param {any} props */
    render(props) {
      return h(/** @type {any} */ (draw), props);
    }
  };
}

/**
 * The latest version of a function under one identity, so that drawn parts need not be drawn again for it.
 * @template {(...parameters: any[]) => any} Action
 * @param {Action} action
 * @returns {Action}
 */
export function useAction(action) {
  const latest = useRef(action);
  latest.current = action;
  const steady = useRef(/** @type {any} */ ((/** @type {any[]} */ ...values) => latest.current(...values)));
  return steady.current;
}

/**
 * Calls back at an interval while the page is visible.
 * @param {() => void} action
 * @param {number} ms
 */
export function useInterval(action, ms) {
  const steady = useAction(action);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || steady(), ms);
    return () => clearInterval(timer);
  }, [ms]);
}

/**
 * When a click removes the focused button, the focus moves to the last button of the same part, or to the page's main
 * part.
 * @param {{ current: HTMLElement | null }} part
 */
export function useKeptFocus(part) {
  const hadFocus = useRef(false);
  hadFocus.current = part.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (!hadFocus.current || document.activeElement !== document.body) return;
    const next = [...(part.current?.querySelectorAll('button') ?? [])].findLast((button) => !button.disabled);
    (next ?? document.querySelector('main'))?.focus({ preventScroll: true });
  });
}

/** @param {any} before @param {any} after */
function isShallowEqual(before, after) {
  for (const key in after) if (before[key] !== after[key]) return false;
  for (const key in before) if (!(key in after)) return false;
  return true;
}
