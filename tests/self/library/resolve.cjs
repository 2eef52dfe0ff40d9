/** Gives the engine the API of this folder in place of the bank. Loaded first, in each process of a run. */
'use strict';
const Module = require('node:module');
const { join } = require('node:path');

const folderByName = { '#bank': 'openapi', '#client': 'fixtures' };
const resolveAsNode = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) => {
  const [start, ...path] = name.split('/');
  const folder = folderByName[start];
  return folder === undefined ? resolveAsNode(name, ...rest) : `${join(__dirname, folder, ...path)}.ts`;
};
