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

/** @typedef {import('preact').VNode} VNode */
/** @typedef {import('preact').ComponentChildren} Children */
/** @template Props @typedef {(props: Props) => Children} Draw A component. */

/** @type {(strings: TemplateStringsArray, ...values: unknown[]) => VNode} */
export const html = htm.bind(h);

/**
 * A listener of a field that hands on what the field holds.
 * @param {(value: string) => void} take
 * @returns {(event: { currentTarget: { value: string } }) => void}
 */
export const valueTo = (take) => (event) => take(event.currentTarget.value);

/**
 * Draws a component again only when its properties differ.
 * @template {object} Props
 * @param {Draw<Props>} draw
 * @param {(before: Props, after: Props) => boolean} [isEqual]
 */
export function memo(draw, isEqual = isShallowEqual) {
  /** @extends {Component<Props>} */
  return class extends Component {
    /** @override @param {Props} next */
    shouldComponentUpdate(next) {
      return !isEqual(this.props, next);
    }

    /** @override @param {Props} props */
    render(props) {
      return h(draw, props);
    }
  };
}

/**
 * The latest version of a function under one identity, so that drawn parts need not be drawn again for it.
 * @template {unknown[]} Parameters
 * @template Result
 * @param {(...parameters: Parameters) => Result} action
 * @returns {(...parameters: Parameters) => Result}
 */
export function useAction(action) {
  const latest = useRef(action);
  latest.current = action;
  const steady = useRef((/** @type {Parameters} */ ...values) => latest.current(...values));
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

/**
 * @template {object} Value
 * @param {Value} before @param {Value} after
 */
function isShallowEqual(before, after) {
  for (const key in after) if (before[key] !== after[key]) return false;
  for (const key in before) if (!(key in after)) return false;
  return true;
}
