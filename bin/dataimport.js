#!/usr/bin/env node
'use strict';

// Plain ES5 and CommonJS (see the package.json beside it), together with node-version.js and own-node.js, so that any Node
// can run it or say that it is unsupported. The rest of the program would end in a syntax error, or in a crash of the
// database's native module.
var reason = require('./node-version.js').unsupportedReason(process.versions.node, process.execPath);
var ownNode = reason && require('./own-node.js');

if (!reason) {
  require('./start.js');
} else if (ownNode.isThere()) {
  ownNode.run(process.argv.slice(1));
} else {
  process.stderr.write('dataimport: ' + reason + '\n');
  process.exitCode = 2; // USAGE in the table of exit codes, which cannot be imported here.
}
