import { bugs as fastifySqliteBugs } from './fastify-sqlite/bugs.ts';
import { startFastifySqlite } from './fastify-sqlite/server.ts';
import { bugs as plainHttpBugs } from './plain-http/bugs.ts';
import { startPlainHttp } from './plain-http/server.ts';
import type { Bugs, RunningServer } from './server-kit.ts';

/** A server that can be started, sound or with one of its bugs. */
export interface OtherServer {
  name: string;
  start(bug?: string): Promise<RunningServer>;
  bugs: Bugs;
}

/** All servers of this folder. */
export const otherServers: readonly OtherServer[] = [
  { name: 'fastify-sqlite', start: startFastifySqlite, bugs: fastifySqliteBugs },
  { name: 'plain-http', start: startPlainHttp, bugs: plainHttpBugs },
];
