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
      // The channel tells the command when this process is killed, so that it is killed, too.
      return (
        node &&
        parts[1].run(node, process.argv.slice(1), {
          stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
          env: Object.assign({}, process.env, { ENDS_WITH_PARENT: 'yes' }),
        })
      );
    },
  );
};
