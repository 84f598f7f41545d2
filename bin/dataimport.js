#!/usr/bin/env node
'use strict';

// Plain ES5 and CommonJS (see the package.json beside it), together with node-version.js, so that any Node can say that
// it is unsupported. The rest of the program would end in a syntax error, or in a crash of the database's native module.
var fs = require('fs');
var path = require('path');
var reason = require('./node-version.js').unsupportedReason(process.versions.node, process.execPath);

if (!reason) {
  require('./start.js');
} else if (fs.existsSync(path.join(__dirname, '..', 'scripts', 'run.mjs'))) {
  // A checkout: only that has scripts.
  require('./own-node.js')().then(endWith, function () {
    endWith(undefined);
  });
} else {
  endWith(undefined);
}

/** Ends with the exit code of another Node, or says why there is none. */
function endWith(code) {
  if (code === undefined) process.stderr.write('dataimport: ' + reason + '\n');
  process.exitCode = code === undefined ? 2 : code; // USAGE in the table of exit codes, which cannot be imported here.
}
