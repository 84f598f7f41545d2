'use strict';

var path = require('path');

/**
 * Runs the command with the Node that npm has put into this checkout. Resolves with its exit code; undefined where there is none.
 * A checkout needs a newer Node than the version check, so this file may import.
 */
module.exports = function () {
  return Promise.all([import('../scripts/node-binary.mjs'), import('../scripts/run.mjs')]).then(
    function (parts) {
      var node = parts[0].pinnedNode(path.join(__dirname, '..'));
      return node && parts[1].run(node, process.argv.slice(1));
    },
  );
};
