// @ts-check
// The clipboard interface is missing on pages that came over plain HTTP from another machine.

/** @param {string} text @param {HTMLElement} near Where the focus is, and stays. */
export function copyBySelection(text, near) {
  const field = document.createElement('textarea');
  field.className = 'unseen';
  field.value = text;
  near.after(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  near.focus();
  return isCopied;
}
