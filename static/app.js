// What the API says is saved, what was ticked since, and the difference that Save sends.
import { createApi } from './api.js';
import { createServerList } from './server-list.js';

const element = (id) => document.getElementById(id);
const [groupSelect, problem, message, saveButton] = ['group', 'problem', 'message', 'save'].map(element);

const api = createApi(askForToken);
const serverList = createServerList(element('servers'), tick);

/** Group → tool → wanted state, not saved yet. A refresh and a look at another group leave them alone. */
const ticks = new Map();
let saved = { group: '', etag: '', tools: [], servers: [] };
let isSaving = false;
let loading;
let isStale = false;

function askForToken() {
  const [dialog, input] = [element('sign-in'), element('token')];
  input.value = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => (input.value ? resolve(input.value) : dialog.showModal());
  });
}

function ticksOf(group) {
  if (!ticks.has(group)) ticks.set(group, new Map());
  return ticks.get(group);
}

function tick(tool, isOn) {
  if (isOn === saved.tools.includes(tool)) ticksOf(saved.group).delete(tool);
  else ticksOf(saved.group).set(tool, isOn);
  message.textContent = '';
  show();
}

/** The saved order, without what was switched off, and what was switched on at its end. */
function wantedTools() {
  const changed = ticksOf(saved.group);
  const kept = saved.tools.filter((tool) => changed.get(tool) !== false);
  return [...new Set([...kept, ...[...changed.keys()].filter((tool) => changed.get(tool))])];
}

function show() {
  const changes = ticksOf(saved.group).size;
  serverList.show(saved.servers, new Set(wantedTools()));
  saveButton.disabled = isSaving || changes === 0;
  saveButton.textContent = changes === 0 ? 'Save' : `Save ${changes} change${changes === 1 ? '' : 's'}`;
}

async function load() {
  const { groups, default: defaultGroup } = await api.groups();
  const group = groups.includes(groupSelect.value) ? groupSelect.value : defaultGroup;
  const [{ servers: tools }, current, { servers: records }] = await Promise.all([
    api.tools(group),
    api.current(group),
    api.servers(),
  ]);
  const byName = new Map(records.map((record) => [record.name, record]));
  const names = [...new Set([...byName.keys(), ...Object.keys(tools)])].sort();
  const servers = names.map((name) => ({ name, ...byName.get(name), tools: tools[name] ?? [] }));
  saved = { group, etag: current.etag, tools: current.tools, servers };
  if (groups.join() !== [...groupSelect.options].map((option) => option.value).join()) {
    groupSelect.replaceChildren(...groups.map((name) => new Option(name, name)));
  }
  groupSelect.value = group;
  problem.textContent = current.problem ? `The group's file has a problem: ${current.problem}` : '';
  show();
}

/** One load at a time; news that come during it start exactly one more. */
function refresh() {
  isStale = true;
  loading ??= loadUntilFresh().finally(() => {
    loading = undefined;
  });
  return loading;
}

async function loadUntilFresh() {
  while (isStale) {
    isStale = false;
    await load().catch((error) => {
      problem.textContent = error.message;
    });
  }
}

async function save() {
  const { group, etag } = saved;
  const sent = new Map(ticksOf(group));
  isSaving = true;
  message.textContent = 'Saving…';
  show();
  try {
    await api.save(group, wantedTools(), etag);
    for (const [tool, isOn] of sent) if (ticksOf(group).get(tool) === isOn) ticksOf(group).delete(tool);
    message.textContent = 'Saved.';
  } catch (error) {
    const hint = 'The group was changed elsewhere meanwhile; your ticks are kept. Look, and save again.';
    message.textContent = error.code === 'group_changed' ? hint : error.message;
  }
  isSaving = false;
  await refresh();
}

groupSelect.addEventListener('change', refresh);
saveButton.addEventListener('click', save);
addEventListener('beforeunload', (event) => {
  if ([...ticks.values()].some((changed) => changed.size > 0)) event.preventDefault();
});
for (;;) {
  await refresh();
  await api.follow(refresh).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 2000));
}
