import { Option } from 'commander';
import { CliFailure } from './cli-failure.ts';

const name = '--data';

/** On every command, before or after its name: the folder that the service lives in, as `GATEWAY_HOME` in the environment. */
export function dataOption(): Option {
  return new Option(`${name} <folder>`, 'the folder that the service lives in').argParser(
    (folder: string) => {
      if (folder.trim() === '') throw new CliFailure(`\`${name}\` expects a folder.`, 2);
      return folder;
    },
  );
}

/** Read before the commands are made, because settings are read from that folder. Wrong usage is found later. */
export function dataFolderIn(args: readonly string[]): string | undefined {
  const end = args.indexOf('--');
  const words = end < 0 ? args : args.slice(0, end);
  const at = words.indexOf(name);
  const folder =
    at < 0 ? words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) : words[at + 1];
  return folder?.trim() ? folder : undefined;
}
