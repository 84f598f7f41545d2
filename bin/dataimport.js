#!/usr/bin/env node
'use strict';

// Plain ES5 and CommonJS (see the package.json beside it), together with node-version.js: any Node ever
// installed must get far enough to say that it is the wrong one. Loading the rest first would end in a syntax
// error, or in a crash of the database's native module.
var complaint = require('./node-version.js').complaint(process.versions.node, process.execPath);

if (complaint) {
  process.stderr.write('dataimport: ' + complaint + '\n');
  process.exitCode = 2; // USAGE in the table of exit codes, which cannot be imported here.
} else {
  require('./start.js');
}
